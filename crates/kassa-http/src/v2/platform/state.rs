//! `GET /v2/platform/state`

use axum::extract::State;
use kassa_domain::permission;

use super::model::PlatformResponse;
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::Route;

pub(crate) static ROUTE: Route = Route::new();

#[utoipa::path(
    get, path = "/state", tag = "Platform", operation_id = "get_platform_state", summary = "Get the state of the platform",
    description = "Version, writers, what waits, what the last verification has found, and the settings in force. Only \
                   operators of the platform see it.",
    responses((status = 200, description = "The state.", body = PlatformResponse), error_responses::ListErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
) -> Result<ApiResponse, ApiError> {
    permission::run_platform(&actor)?;
    Ok(ApiResponse::ok(&PlatformResponse::of(&app).await?))
}
