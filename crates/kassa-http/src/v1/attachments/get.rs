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

pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    base: Base,
    PathId(id): PathId<Attachment>,
) -> Result<Answer, ApiError> {
    let view = app.engine.view(&Needs { attachments: vec![id], ..Needs::default() }).await?;
    let attachment = view.attachments.get(id).filter(|attachment| permission::sees_attachment(&actor, attachment));
    let attachment = attachment.ok_or_else(|| ApiError::not_found("attachment"))?;
    Ok(Answer::ok(&AttachmentBody::new(attachment, &base)))
}
