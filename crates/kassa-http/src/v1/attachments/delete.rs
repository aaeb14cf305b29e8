//! `DELETE /v1/resources/attachments/{attachment}`: removes an attachment that nothing shows.

use axum::extract::State;
use kassa_domain::attachment::Attachment;

use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{ResourceType, Route};
use crate::wire::EmptyBody;

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::Attachment);

#[utoipa::path(
    delete, path = "/attachments/{attachment}", tag = "Attachments", operation_id = "remove_attachment",
    summary = "Remove an attachment",
    description = "Only the partner that uploaded it can, and not while an event or a partner shows it. Its file is \
                   deleted.",
    responses((status = 200, description = "An empty object.", body = EmptyBody), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(attachment): PathId<Attachment>,
) -> Result<ApiResponse, ApiError> {
    Ok(app.engine.remove_attachment(&actor, attachment, |_| ApiResponse::removed()).await?)
}
