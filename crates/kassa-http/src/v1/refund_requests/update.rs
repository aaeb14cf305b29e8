//! `PATCH /v1/resources/refund_requests/{refund_request}`: what the organizer decides.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::refund::RefundRequest;

use super::model::{REFUND_REQUEST, RefundBody};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Input, Json, LongText, PathId, Problems, fields};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{EventSource, ResourceType, Route};
use crate::wire::RefundStatusInput;

fields! {
    /// A decision on a refund request.
    pub(crate) struct RefundDecision {
        /// `in_progress` while money moves; `approved` and `rejected` are final.
        status: Input<RefundStatusInput>,
        /// Why, in your own words; up to 10000 characters.
        reason: Input<LongText>,
    }
}

pub(crate) static ROUTE: Route =
    Route::new().resource(ResourceType::Refund).shows(&REFUND_REQUEST).event(EventSource::Path);

#[utoipa::path(
    patch, path = "/refund_requests/{refund_request}", tag = "Refunds", operation_id = "update_refund_request",
    summary = "Decide on a refund request",
    description = "Only the organizer can. Tickets of an approved request go back on sale.",
    request_body = RefundDecision,
    responses((status = 200, description = "The request.", body = RefundBody), error_responses::ChangeErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(id): PathId<RefundRequest>,
    Json(body): Json<RefundDecision>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let transition = body.status.patch_non_null("status", &mut problems).value().map(|status| status.0);
    let reason = body.reason.patch("reason", &mut problems).map(|text| text.0);
    problems.finish()?;
    let render = |_: &View, request: &RefundRequest| {
        ApiResponse::ok(&RefundBody::new(request)).with_revision(request.revision.number())
    };
    Ok(app.engine.update_refund(&actor, id, transition, reason, render).await?)
}
