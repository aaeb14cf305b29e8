//! `GET /v1/resources/attachments/{attachment}`: for its author.

use axum::extract::State;
use kassa_domain::attachment::Attachment;
use kassa_domain::{ReadSet, permission};

use super::model::{ATTACHMENT, AttachmentBody};
use crate::app::AppState;
use crate::base_url::BaseUrl;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{ResourceType, Route};

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::Attachment).shows(&ATTACHMENT);

#[utoipa::path(
    get, path = "/attachments/{attachment}", tag = "Attachments", operation_id = "get_attachment",
    summary = "Get an attachment",
    description = "Only for the partner that uploaded it.",
    responses((status = 200, description = "The attachment.", body = AttachmentBody), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    base: BaseUrl,
    PathId(id): PathId<Attachment>,
) -> Result<ApiResponse, ApiError> {
    let view = app.engine.view(&ReadSet { attachments: vec![id], ..ReadSet::default() }).await?;
    let attachment = view.attachments.get(id).filter(|attachment| permission::sees_attachment(&actor, attachment));
    let attachment = attachment.ok_or_else(|| ApiError::not_found("attachment"))?;
    Ok(ApiResponse::ok(&AttachmentBody::new(attachment, &base)).with_revision(attachment.revision.number()))
}
