//! `GET /v2/platform/partners/{partner}`

use axum::extract::State;
use kassa_domain::partner::Partner;
use kassa_domain::{ReadSet, Refusal, permission};

use super::model::PlatformPartnerResponse;
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::Route;

pub(crate) static ROUTE: Route = Route::new();

#[utoipa::path(
    get, path = "/partners/{partner}", tag = "Platform", operation_id = "get_platform_partner", summary = "Get any partner",
    description = "What a partner stores, and whether it may act. Only operators of the platform see it.",
    responses((status = 200, description = "The partner.", body = PlatformPartnerResponse), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(partner): PathId<Partner>,
) -> Result<ApiResponse, ApiError> {
    permission::run_platform(&actor)?;
    let view = app.engine.view(&ReadSet { partners_to_read: vec![partner], ..ReadSet::default() }).await?;
    let found = view.partners.get(partner).ok_or(Refusal::NotFound("partner"))?;
    Ok(ApiResponse::ok(&PlatformPartnerResponse::new(found, app.engine.quotas())))
}
