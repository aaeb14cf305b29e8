//! `GET /v1/resources/attachments/{attachment}`: for its author.

use axum::extract::State;
use kassa_domain::attachment::Attachment;
use kassa_domain::{Needs, permission};

use super::model::AttachmentBody;
use crate::answer::Answer;
use crate::app::App;
use crate::base::Base;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::errors;

#[utoipa::path(
    get, path = "/attachments/{attachment}", tag = "Attachments", operation_id = "get_attachment",
    summary = "Get an attachment", description = "For its author.",
    responses((status = 200, description = "The attachment.", body = AttachmentBody), errors::Read),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    base: Base,
    PathId(id): PathId<Attachment>,
) -> Result<Answer, ApiError> {
    let view = app.engine.view(&Needs { attachments: vec![id], ..Needs::default() }).await?;
    let attachment = view.attachments.get(id).filter(|attachment| permission::sees_attachment(&actor, attachment));
    let attachment = attachment.ok_or_else(|| ApiError::not_found("attachment"))?;
    Ok(Answer::ok(&AttachmentBody::new(attachment, &base)).tagged(attachment.revision))
}
