//! `GET /v1/resources/attachments`: one's own, newest first.

use axum::extract::State;
use kassa_store::queries::AttachmentsFilter;

use super::model::AttachmentBody;
use crate::answer::Answer;
use crate::app::App;
use crate::base::Base;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::{Problems, Query};
use crate::openapi::errors;
use crate::openapi::params::{Page, flag, ids, parameters};

parameters! {
    pub(crate) struct Filters: ids(), flag("removed", "Whether removed ones are shown, too.")
}

#[utoipa::path(
    get, path = "/attachments", tag = "Attachments", operation_id = "list_attachments", summary = "List attachments",
    description = "One's own, newest first.",
    params(Filters, Page),
    responses((status = 200, description = "Attachments.", body = [AttachmentBody]), errors::List),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    base: Base,
    query: Query,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let ids = query.ids("ids", &mut problems);
    let removed = query.flag("removed", &mut problems);
    let slice = query.slice(&mut problems);
    problems.finish()?;
    let filter = AttachmentsFilter { authors: actor.partners(), ids, removed };
    let page = app.engine.page(filter, slice).await?;
    let items: Vec<AttachmentBody> = page.rows.iter().map(|row| AttachmentBody::new(row, &base)).collect();
    Ok(Answer::list(&items, page.total))
}
