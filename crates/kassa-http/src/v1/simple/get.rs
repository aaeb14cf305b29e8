//! `GET /v1/services/simple/events/{event}`: for those who may sell it.

use axum::extract::State;
use kassa_domain::Needs;
use kassa_domain::event::Event;

use super::Asker;
use super::around::Around;
use super::model::SimpleBody;
use crate::answer::Answer;
use crate::app::App;
use crate::base::Base;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::errors;

#[utoipa::path(
    get, path = "/simple/events/{event}", tag = "Simple events", operation_id = "get_simple_event",
    summary = "Get an event to sell", description = "For those who may sell it.",
    responses((status = 200, description = "The event.", body = SimpleBody), errors::Read),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    base: Base,
    PathId(id): PathId<Event>,
) -> Result<Answer, ApiError> {
    let asker = Asker { engine: app.engine, actor: (*actor).clone(), base };
    let view = asker.engine.view(&Needs { events: vec![id], ..Needs::default() }).await?;
    let events: Vec<Event> = view.events.get(id).cloned().into_iter().collect();
    let around = Around::load(&asker, &events, asker.engine.now()).await?;
    let event = around.show(&events).next().ok_or_else(|| ApiError::not_found("event"))?;
    let revision = events.first().map_or(0, |event| event.revision);
    Ok(Answer::ok(&event).tagged(revision))
}
