//! `GET /v2/resources/refund_requests/{refund_request}`: by the vendor and the organizer.

use axum::extract::State;
use kassa_domain::refund::RefundRequest;
use kassa_domain::{Needs, permission};

use super::super::around::Loaded;
use super::model::RefundAnswer;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::errors;

#[utoipa::path(
    get, path = "/refund_requests/{refund_request}", tag = "Refunds", operation_id = "get_refund_request",
    summary = "Get a refund request",
    responses((status = 200, description = "The request.", body = RefundAnswer), errors::Read),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    PathId(id): PathId<RefundRequest>,
) -> Result<Answer, ApiError> {
    let view = app.engine.view(&Needs { refunds: vec![id], ..Needs::default() }).await?;
    let request = view.refunds.get(id).filter(|request| permission::sees_refund(&actor, request));
    let request = request.ok_or_else(|| ApiError::not_found("refund request"))?;
    let loaded = Loaded::with_orders(&app.engine, vec![request.order], request.tickets()).await?;
    Ok(Answer::ok(&RefundAnswer::new(request, loaded.all())).tagged(request.revision))
}
