//! `GET /v1/resources/events/{event}`

use axum::extract::State;
use kassa_domain::event::Event;
use kassa_domain::{Needs, permission};

use super::model::EventBody;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Caller;
use crate::error::ApiError;
use crate::input::PathId;

pub(crate) async fn handle(
    State(app): State<App>,
    Caller(actor): Caller,
    PathId(id): PathId<Event>,
) -> Result<Answer, ApiError> {
    let view = app.engine.view(&Needs { events: vec![id], sets_of: vec![id], ..Needs::default() }).await?;
    let event = view.events.get(id).filter(|event| permission::sees_event(&actor, event));
    let event = event.ok_or_else(|| ApiError::not_found("event"))?;
    let sets = view.sets_of(id).into_iter().filter(|set| !set.removed);
    Ok(Answer::ok(&EventBody::new(event, sets, app.engine.now())))
}
