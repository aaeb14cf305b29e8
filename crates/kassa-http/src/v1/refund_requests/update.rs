//! `PATCH /v1/resources/refund_requests/{refund_request}`, or POST: what the organizer decides.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::refund::{RefundRequest, RefundStep};
use utoipa::openapi::{RefOr, Schema};

use super::model::RefundBody;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::{ApiError, Detail};
use crate::input::{FromJson, Input, Json, LongText, PathId, Problems, bad, fields, one_of};
use crate::openapi::{errors, schema};

fields! {
    /// A decision on a refund request.
    pub(crate) struct RefundDecision {
        status: Input<StepInput>,
        reason: Input<LongText>,
    }
}

/// The statuses that can be asked for.
const STEPS: [(&str, RefundStep); 3] =
    [("in_progress", RefundStep::InProgress), ("approved", RefundStep::Approved), ("rejected", RefundStep::Rejected)];

struct StepInput(RefundStep);

impl FromJson for StepInput {
    fn from_json(json: &str) -> Result<Self, Vec<Detail>> {
        // A long value is not repeated.
        let said = serde_json::from_str::<String>(json).ok().filter(|text| text.chars().count() <= 64);
        let wrong = |details| said.map_or(details, |said| bad(format!("Incorrect status {said} for this operation")));
        one_of(&STEPS, json).map(Self).map_err(wrong)
    }

    fn form() -> RefOr<Schema> {
        schema::words(STEPS.map(|(name, _)| name)).into()
    }
}

#[utoipa::path(
    patch, path = "/refund_requests/{refund_request}", tag = "Refunds", operation_id = "update_refund_request",
    summary = "Decide on a refund request",
    description = "By the organizer. What is approved goes on sale again.",
    request_body = RefundDecision,
    responses((status = 200, description = "The request.", body = RefundBody), errors::Change),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    PathId(id): PathId<RefundRequest>,
    Json(body): Json<RefundDecision>,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let step = body.status.patch_some("status", &mut problems).value().map(|step| step.0);
    let reason = body.reason.patch("reason", &mut problems).map(|text| text.0);
    problems.finish()?;
    let render = |_: &View, request: &RefundRequest| Answer::ok(&RefundBody::new(request));
    Ok(app.engine.update_refund(&actor, id, (step, reason), render).await?)
}

#[utoipa::path(
    post, path = "/refund_requests/{refund_request}", tag = "Refunds", operation_id = "decide_refund_request",
    summary = "Decide on a refund request by POST",
    description = "The same as PATCH, for clients that send it so.",
    request_body = RefundDecision,
    responses((status = 200, description = "The request.", body = RefundBody), errors::Change),
)]
pub(crate) async fn by_post(
    app: State<App>,
    actor: Known,
    id: PathId<RefundRequest>,
    body: Json<RefundDecision>,
) -> Result<Answer, ApiError> {
    handle(app, actor, id, body).await
}
