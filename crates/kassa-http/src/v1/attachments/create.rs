//! `POST /v1/resources/attachments`: the body is the file.

use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use kassa_domain::attachment::Attachment;

use super::intake;
use super::model::AttachmentBody;
use crate::answer::Answer;
use crate::app::App;
use crate::base::Base;
use crate::caller::Known;
use crate::error::ApiError;
use crate::openapi::errors;

#[utoipa::path(
    post, path = "/attachments", tag = "Attachments", operation_id = "create_attachment", summary = "Upload a file",
    description = "The body is the file, and Content-Type says what it is.",
    request_body(content_type = "*/*", description = "The bytes of the file."),
    responses((status = 200, description = "The attachment.", body = AttachmentBody), errors::Create),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    base: Base,
    headers: HeaderMap,
    body: Body,
) -> Result<Answer, ApiError> {
    let content_type = intake::content_type(&headers)?;
    // Without a partner the body is read all the same: what is wrong with it is said first.
    let mut begun = match actor.partner() {
        Ok(author) => Ok((author, app.engine.files().begin(app.engine.new_token())?)),
        Err(refusal) => Err(refusal),
    };
    let upload = begun.as_mut().ok().map(|(_, upload)| upload);
    if let Err(error) = intake::read(body, &headers, app.config.attachment_bytes_max, upload).await {
        if let Ok((_, upload)) = begun {
            upload.give_up().await;
        }
        return Err(error);
    }
    let (author, upload) = begun?;
    let stored = upload.finish().await?;
    let render =
        move |attachment: &Attachment| Answer::ok(&AttachmentBody::new(attachment, &base)).tagged(attachment.revision);
    Ok(app.engine.create_attachment(&actor, author, content_type, stored, render).await?)
}
