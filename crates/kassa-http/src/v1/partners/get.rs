//! `GET /v1/resources/partners/{partner}`: in full for its own people, its face for everybody; with its
//! contact and its legal form for partners that it has a deal with.

use axum::extract::State;
use kassa_domain::ReadSet;
use kassa_domain::partner::Partner;

use super::model::PARTNER;
use super::{VisiblePartnerBody, visible_partner_bodies};
use crate::app::AppState;
use crate::base_url::BaseUrl;
use crate::caller::AnyCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{ResourceType, Route};

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::Partner).shows(&PARTNER);

#[utoipa::path(
    get, path = "/partners/{partner}", tag = "Partners", operation_id = "get_partner", summary = "Get a partner",
    description = "All fields for its own users and keys; contact and legal details for the other side of an \
                   accepted deal; the public profile for everyone else.",
    security((), ("key" = []), ("cookie" = [])),
    responses((status = 200, description = "The partner.", body = VisiblePartnerBody), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AnyCaller(actor): AnyCaller,
    base: BaseUrl,
    PathId(id): PathId<Partner>,
) -> Result<ApiResponse, ApiError> {
    let view = app.engine.view(&ReadSet { partners: vec![id], ..ReadSet::default() }).await?;
    let partner = view.partners.get(id).ok_or_else(|| ApiError::not_found("partner"))?;
    let seen = visible_partner_bodies(&app.engine, &actor, [partner], &base).await?;
    let (_, body) = seen.first().ok_or_else(|| ApiError::not_found("partner"))?;
    Ok(ApiResponse::ok(body).with_revision(partner.revision.number()))
}
