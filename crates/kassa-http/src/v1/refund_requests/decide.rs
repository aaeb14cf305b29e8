//! `POST /v1/resources/refund_requests/{refund_request}`: the same as PATCH.

use axum::extract::State;
use kassa_domain::refund::RefundRequest;

use super::model::{REFUND_REQUEST, RefundBody};
use super::update::{self, RefundDecision};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Json, PathId};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{EventSource, ResourceType, Route};

pub(crate) static ROUTE: Route =
    Route::new().resource(ResourceType::Refund).shows(&REFUND_REQUEST).event(EventSource::Path);

#[utoipa::path(
    post, path = "/refund_requests/{refund_request}", tag = "Refunds", operation_id = "decide_refund_request",
    summary = "Decide on a refund request by POST",
    description = "The same as PATCH, for clients that send it so.",
    request_body = RefundDecision,
    responses((status = 200, description = "The request.", body = RefundBody), error_responses::ChangeErrors),
)]
pub(crate) async fn handle(
    app: State<AppState>,
    actor: AuthenticatedCaller,
    id: PathId<RefundRequest>,
    body: Json<RefundDecision>,
) -> Result<ApiResponse, ApiError> {
    update::handle(app, actor, id, body).await
}
