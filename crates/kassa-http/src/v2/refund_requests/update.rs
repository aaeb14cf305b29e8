//! `PATCH /v2/resources/refund_requests/{refund_request}`: what the organizer decides.

use axum::extract::State;
use kassa_domain::refund::{RefundRequest, RefundTransition};
use kassa_domain::{Patch, View};
use utoipa::openapi::{RefOr, Schema};

use super::super::errors::INCORRECT_REFUND_STATUS;
use super::model::RefundResponse;
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::{ApiError, ErrorDetail};
use crate::input::{FromJson, Input, Json, PathId, Problems, fields};
use crate::openapi::error_responses;
use crate::related::RelatedRows;
use crate::response::ApiResponse;
use crate::route::{EventSource, ResourceType, Route};
use crate::wire::{RefundStatusInput, parse_word_or_explain, refund_transitions};

fields! {
    /// A decision on a refund request.
    pub(crate) struct RefundDecision {
        /// `in_progress` while money moves; `approved` and `rejected` are final.
        status: Input<RefundStatusV2Input>,
    }
}

struct RefundStatusV2Input(RefundTransition);

impl FromJson for RefundStatusV2Input {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let explain = |word| format!("{INCORRECT_REFUND_STATUS}{word} for this operation");
        parse_word_or_explain(&refund_transitions(), json, explain).map(Self)
    }

    fn json_schema() -> RefOr<Schema> {
        RefundStatusInput::json_schema()
    }
}

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::Refund).event(EventSource::Path);

#[utoipa::path(
    patch, path = "/refund_requests/{refund_request}", tag = "Refunds", operation_id = "update_refund_request",
    summary = "Decide on a refund request",
    description = "Only the organizer can. Tickets of an approved request leave the order and go back on sale.",
    request_body = RefundDecision,
    responses((status = 200, description = "The request.", body = RefundResponse), error_responses::ChangeErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(id): PathId<RefundRequest>,
    Json(body): Json<RefundDecision>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let transition = body.status.patch_non_null("status", &mut problems).value().map(|status| status.0);
    problems.finish()?;
    let request = app.engine.refund(id).await?.ok_or_else(|| ApiError::not_found("refund request"))?;
    let related = RelatedRows::beside_refund_update(&app.engine, &request, transition).await?;
    let render = move |view: &View, request: &RefundRequest| {
        ApiResponse::ok(&RefundResponse::new(request, related.lookup_over(view)))
            .with_revision(request.revision.number())
    };
    Ok(app.engine.update_refund(&actor, request, transition, Patch::Keep, render).await?)
}
