//! `DELETE /v2/platform/partners/{partner}/suspension`

use axum::extract::State;
use kassa_domain::partner::{Partner, RestorePartner};

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
    delete, path = "/partners/{partner}/suspension", tag = "Platform", operation_id = "restore_partner",
    summary = "Restore a partner",
    description = "It may act again, whether it was suspended or removed. Only operators of the platform can.",
    responses((status = 200, description = "The partner.", body = PlatformPartnerResponse), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(partner): PathId<Partner>,
) -> Result<ApiResponse, ApiError> {
    let restored = app.engine.change_access(&actor, RestorePartner { partner }).await?;
    Ok(ApiResponse::ok(&PlatformPartnerResponse::new(&restored, app.engine.quotas())))
}
