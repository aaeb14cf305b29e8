//! `POST /v2/platform/verification`: everything is counted again.

use axum::extract::State;
use kassa_domain::permission;
use kassa_engine::verify::VerifyPace;

use super::model::VerificationResponse;
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::Route;

pub(crate) static ROUTE: Route = Route::new();

#[utoipa::path(
    post, path = "/verification", tag = "Platform", operation_id = "start_verification", summary = "Verify everything",
    description = "All that can be counted is counted again, beside sales; the state says what was found. While that \
                   goes on, nothing is begun. Only operators of the platform can.",
    responses((status = 200, description = "That it goes on.", body = VerificationResponse), error_responses::ListErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
) -> Result<ApiResponse, ApiError> {
    permission::run_platform(&actor)?;
    app.engine.start_verification(VerifyPace::BESIDE_SALES);
    Ok(ApiResponse::ok(&VerificationResponse::of(&app.engine)))
}
