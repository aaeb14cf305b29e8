//! `DELETE /v1/resources/events/{event}/sets/{set}`: answers the removed set.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::event::Event;
use kassa_domain::set::{RemoveSet, Set};

use super::model::SetBody;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::PathId;

pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    PathId(event): PathId<Event>,
    PathId(set): PathId<Set, 1>,
) -> Result<Answer, ApiError> {
    let render = |_: &View, set: &Set| Answer::ok(&SetBody::new(set, None, set.updated_at));
    Ok(app.engine.execute(&actor, RemoveSet { event, set }, render).await?)
}
