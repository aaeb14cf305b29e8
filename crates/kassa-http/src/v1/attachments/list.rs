//! `GET /v1/resources/attachments`: one's own, newest first.

use axum::extract::State;
use kassa_store::queries::AttachmentsFilter;

use super::model::{ATTACHMENT, AttachmentBody};
use crate::app::AppState;
use crate::base_url::BaseUrl;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Problems, Query};
use crate::openapi::error_responses;
use crate::openapi::params::{LimitOffsetParameters, flag, ids, parameters};
use crate::response::ApiResponse;
use crate::route::Route;

parameters! {
    pub(crate) struct Filters: ids(), flag("removed", "Whether to include removed ones; `false` by default.")
}

pub(crate) static ROUTE: Route = Route::new().list().shows(&ATTACHMENT);

#[utoipa::path(
    get, path = "/attachments", tag = "Attachments", operation_id = "list_attachments", summary = "List attachments",
    description = "Your own, newest first.",
    params(Filters, LimitOffsetParameters),
    responses((status = 200, description = "Attachments.", body = [AttachmentBody]), error_responses::ListErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    base: BaseUrl,
    query: Query,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let ids = query.ids("ids", &mut problems);
    let removed = query.flag("removed", &mut problems);
    let slice = query.slice(&mut problems);
    problems.finish()?;
    let filter = AttachmentsFilter { authors: actor.acting_partners(), ids, include_removed: removed };
    let page = app.engine.page(filter, slice).await?;
    let items: Vec<AttachmentBody> = page.rows.iter().map(|row| AttachmentBody::new(row, &base)).collect();
    Ok(ApiResponse::list(&items, page.total))
}
