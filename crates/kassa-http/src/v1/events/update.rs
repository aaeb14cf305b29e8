//! `PATCH /v1/resources/events/{event}`: by the organizer.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::event::{Event, UpdateEvent};
use kassa_domain::set::Set;

use super::model::{EventBody, EventInput};
use crate::answer::Answer;
use crate::app::App;
use crate::base::Base;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::{Json, PathId, Problems};
use crate::openapi::errors;

#[utoipa::path(
    patch, path = "/events/{event}", tag = "Events", operation_id = "update_event", summary = "Change an event",
    description = "By the organizer.",
    request_body = EventInput,
    responses((status = 200, description = "The event.", body = EventBody), errors::Change),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    base: Base,
    PathId(event): PathId<Event>,
    Json(body): Json<EventInput>,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let patch = body.into_patch(false, &mut problems);
    problems.finish()?;
    let render = move |_: &View, (event, sets): &(Event, Vec<Set>)| {
        Answer::ok(&EventBody::new(event, sets, None, event.updated_at, &base)).tagged(event.revision)
    };
    Ok(app.engine.execute(&actor, UpdateEvent { event, patch }, render).await?)
}
