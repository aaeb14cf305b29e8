//! `PATCH /v2/resources/refund_requests/{refund_request}`: what the organizer decides.

use axum::extract::State;
use kassa_domain::refund::RefundRequest;
use kassa_domain::{Needs, Patch, View};

use super::super::around::Loaded;
use super::model::RefundAnswer;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::{Input, Json, PathId, Problems, RefundStepInput, fields};
use crate::openapi::errors;

fields! {
    /// A decision on a refund request.
    pub(crate) struct RefundDecision {
        status: Input<RefundStepInput>,
    }
}

#[utoipa::path(
    patch, path = "/refund_requests/{refund_request}", tag = "Refunds", operation_id = "update_refund_request",
    summary = "Decide on a refund request",
    description = "By the organizer. What is approved leaves the order and goes on sale again.",
    request_body = RefundDecision,
    responses((status = 200, description = "The request.", body = RefundAnswer), errors::Change),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    PathId(id): PathId<RefundRequest>,
    Json(body): Json<RefundDecision>,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let step = body.status.patch_some("status", &mut problems).value().map(|step| step.0);
    problems.finish()?;
    let view = app.engine.view(&Needs { refunds: vec![id], ..Needs::default() }).await?;
    let found = view.refunds.get(id).ok_or_else(|| ApiError::not_found("refund request"))?;
    let loaded = Loaded::with_orders(&app.engine, vec![found.order], found.tickets()).await?;
    let render = move |view: &View, request: &RefundRequest| {
        Answer::ok(&RefundAnswer::new(request, loaded.under(view))).tagged(request.revision)
    };
    Ok(app.engine.update_refund(&actor, id, (step, Patch::Keep), render).await?)
}
