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
