//! `POST /v1/resources/events`: an event of the partner that acts.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::event::{CreateEvent, Event};

use super::model::{EventBody, EventInput, NewEvent};
use crate::answer::Answer;
use crate::app::App;
use crate::base::Base;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::{Json, Problems};
use crate::openapi::errors;

#[utoipa::path(
    post, path = "/events", tag = "Events", operation_id = "create_event", summary = "Make an event",
    request_body = NewEvent,
    responses((status = 200, description = "The event.", body = EventBody), errors::Create),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    base: Base,
    Json(body): Json<EventInput>,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let patch = body.into_patch(true, &mut problems);
    problems.finish()?;
    let org = actor.partner()?;
    let render = move |_: &View, event: &Event| {
        Answer::ok(&EventBody::new(event, [], None, event.created_at, &base)).tagged(event.revision)
    };
    Ok(app.engine.execute(&actor, CreateEvent { org, patch }, render).await?)
}
