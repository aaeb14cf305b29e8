//! `GET /v2/resources/partners/{partner}/history`: for its own users and keys.

use axum::extract::State;
use kassa_domain::partner::Partner;
use kassa_domain::precondition::ResourceRef;
use kassa_domain::{ReadSet, permission};

use super::model::HistoryResponse;
use super::{HistoryParameters, HistoryRequest};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{PathId, Query};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::Route;

pub(crate) static ROUTE: Route = Route::new().list();

#[utoipa::path(
    get, path = "/partners/{partner}/history", tag = "Partners", operation_id = "get_partner_history",
    summary = "Get the history of a partner",
    description = "What happened to it, who did it, from where, and what it was before: the \
        newest change first. For its own users and keys.",
    params(HistoryParameters),
    responses((status = 200, description = "Changes.", body = HistoryResponse), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(id): PathId<Partner>,
    query: Query,
) -> Result<ApiResponse, ApiError> {
    let wanted = HistoryRequest::read(&query)?;
    let view = app.engine.view(&ReadSet { partners: vec![id], ..ReadSet::default() }).await?;
    let partner = view.partners.get(id).ok_or_else(|| ApiError::not_found("partner"))?;
    permission::read_partner_history(&actor, partner)?;
    wanted.answer(&app, &actor, ResourceRef::Partner(id), partner.revision).await
}
