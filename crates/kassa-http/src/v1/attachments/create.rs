//! `POST /v1/resources/attachments`: the body is the file.

use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use hyper::body::Body as _;
use kassa_domain::attachment::Attachment;

use super::model::{ATTACHMENT, AttachmentBody};
use super::upload_body::UploadForm;
use crate::app::AppState;
use crate::base_url::BaseUrl;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{BodyLimit, Route};

pub(crate) static ROUTE: Route = Route::new().shows(&ATTACHMENT).body_limit(BodyLimit::Attachment);

#[utoipa::path(
    post, path = "/attachments", tag = "Attachments", operation_id = "create_attachment", summary = "Upload a file",
    description = "The body is the file itself; Content-Type names its media type. A `multipart/form-data` body with \
                   one file is unpacked.",
    request_body(content_type = "*/*", description = "The bytes of the file."),
    responses((status = 200, description = "The attachment.", body = AttachmentBody), error_responses::CreateErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    base: BaseUrl,
    headers: HeaderMap,
    body: Body,
) -> Result<ApiResponse, ApiError> {
    let form = UploadForm::of(&headers)?;
    // Without a partner the body is read all the same: what is wrong with it is said first.
    let mut begun = match actor.acting_partner() {
        Ok(author) => Ok((author, app.engine.begin_upload(&actor, author, body.size_hint().exact()).await?)),
        Err(refusal) => Err(refusal),
    };
    let upload = begun.as_mut().ok().map(|(_, upload)| upload);
    let content_type = match form.read(body, &headers, app.config.bytes_max(ROUTE.body_limit), upload).await {
        Ok(content_type) => content_type,
        Err(error) => {
            if let Ok((_, upload)) = begun {
                upload.abort().await;
            }
            return Err(error);
        }
    };
    let (author, upload) = begun?;
    let stored = upload.finish().await?;
    let render = move |attachment: &Attachment| {
        ApiResponse::ok(&AttachmentBody::new(attachment, &base)).with_revision(attachment.revision.number())
    };
    Ok(app.engine.create_attachment(&actor, author, content_type, stored, render).await?)
}
