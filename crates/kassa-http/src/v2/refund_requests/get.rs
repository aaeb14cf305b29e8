//! `GET /v2/resources/refund_requests/{refund_request}`: by the vendor and the organizer.

use axum::extract::State;
use kassa_domain::refund::RefundRequest;

use super::model::RefundResponse;
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::related::{RelatedRows, load_visible_refund};
use crate::response::ApiResponse;
use crate::route::{ResourceType, Route};

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::Refund);

#[utoipa::path(
    get, path = "/refund_requests/{refund_request}", tag = "Refunds", operation_id = "get_refund_request",
    summary = "Get a refund request",
    description = "For the vendor and the organizer.",
    responses((status = 200, description = "The request.", body = RefundResponse), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(id): PathId<RefundRequest>,
) -> Result<ApiResponse, ApiError> {
    let request = load_visible_refund(&app.engine, &actor, id).await?;
    let related = RelatedRows::of_refunds(&app.engine, std::slice::from_ref(&request)).await?;
    Ok(ApiResponse::ok(&RefundResponse::new(&request, related.lookup())).with_revision(request.revision.number()))
}
