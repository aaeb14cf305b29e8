//! `GET /v1/resources/attachment/{attachment}`: the same under an older path.

use axum::extract::State;
use jiff::civil::date;
use kassa_domain::attachment::Attachment;

use super::get;
use super::model::{ATTACHMENT, AttachmentBody};
use crate::app::AppState;
use crate::base_url::BaseUrl;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{Deprecation, ResourceType, Route};

pub(crate) static ROUTE: Route = Route::new()
    .resource(ResourceType::Attachment)
    .shows(&ATTACHMENT)
    .deprecated(Deprecation::since(date(2026, 11, 26), "GET /v1/resources/attachments/{attachment}"));

#[utoipa::path(
    get, path = "/attachment/{attachment}", tag = "Attachments", operation_id = "get_attachment_singular",
    summary = "Get an attachment, under an older path",
    description = "Only for the partner that uploaded it.",
    responses((status = 200, description = "The attachment.", body = AttachmentBody), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    app: State<AppState>,
    caller: AuthenticatedCaller,
    base: BaseUrl,
    id: PathId<Attachment>,
) -> Result<ApiResponse, ApiError> {
    get::handle(app, caller, base, id).await
}
