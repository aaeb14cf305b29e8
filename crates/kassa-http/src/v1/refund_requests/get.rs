//! `GET /v1/resources/refund_requests/{refund_request}`: by the vendor and the organizer.

use axum::extract::State;
use kassa_domain::refund::RefundRequest;

use super::model::{REFUND_REQUEST, RefundBody};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::related::load_visible_refund;
use crate::response::ApiResponse;
use crate::route::{ResourceType, Route};

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::Refund).shows(&REFUND_REQUEST);

#[utoipa::path(
    get, path = "/refund_requests/{refund_request}", tag = "Refunds", operation_id = "get_refund_request",
    summary = "Get a refund request",
    description = "For the vendor and the organizer.",
    responses((status = 200, description = "The request.", body = RefundBody), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(id): PathId<RefundRequest>,
) -> Result<ApiResponse, ApiError> {
    let request = load_visible_refund(&app.engine, &actor, id).await?;
    Ok(ApiResponse::ok(&RefundBody::new(&request)).with_revision(request.revision.number()))
}
