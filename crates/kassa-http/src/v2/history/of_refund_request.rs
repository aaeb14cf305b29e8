//! `GET /v2/resources/refund_requests/{refund_request}/history`: for the vendor and the organizer.

use axum::extract::State;
use kassa_domain::permission;
use kassa_domain::precondition::ResourceRef;
use kassa_domain::refund::RefundRequest;

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
    get, path = "/refund_requests/{refund_request}/history", tag = "Refunds", operation_id = "get_refund_request_history",
    summary = "Get the history of a refund request",
    description = "What happened to it, who did it, from where, and what it was before: the \
        newest change first. For the vendor and the organizer.",
    params(HistoryParameters),
    responses((status = 200, description = "Changes.", body = HistoryResponse), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(id): PathId<RefundRequest>,
    query: Query,
) -> Result<ApiResponse, ApiError> {
    let wanted = HistoryRequest::read(&query)?;
    let request = app.engine.refund(id).await?.ok_or_else(|| ApiError::not_found("refund request"))?;
    permission::read_refund_history(&actor, &request)?;
    wanted.answer(&app, &actor, ResourceRef::Refund(id), request.revision).await
}
