//! `DELETE /v1/resources/events/{event}/sets/{set}`: answers the removed set.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::event::Event;
use kassa_domain::set::Set;

use super::model::SetBody;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::errors;

#[utoipa::path(
    delete, path = "/events/{event}/sets/{set}", tag = "Sets", operation_id = "remove_set", summary = "Remove a set",
    description = "One without live or paid orders.",
    responses((status = 200, description = "The removed set.", body = SetBody), errors::Read),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    PathId(event): PathId<Event>,
    PathId(set): PathId<Set, 1>,
) -> Result<Answer, ApiError> {
    let render = |_: &View, set: &Set| Answer::ok(&SetBody::new(set, None, set.updated_at)).tagged(set.revision);
    Ok(app.engine.remove_set(&actor, (event, set), render).await?)
}
