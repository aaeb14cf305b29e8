//! `/v1/resources/events/{event}/promocodes`: the organizer's.

pub(super) mod create;
pub(super) mod get;
pub(super) mod list;
pub(super) mod model;
pub(super) mod update;

use kassa_domain::event::EventId;
use kassa_domain::{Actor, Needs, Refusal, permission};

use crate::app::App;
use crate::error::ApiError;

/// Refuses a caller to whom the promocodes of this event are closed.
async fn open(app: &App, actor: &Actor, event: EventId) -> Result<(), ApiError> {
    let view = app.engine.view(&Needs { events: vec![event], ..Needs::default() }).await?;
    let event = view.events.get(event).ok_or(Refusal::NotFound("event"))?;
    Ok(permission::open_promocodes(actor, event)?)
}

/// Refuses a caller who may not make promocodes of this event. An agent learns so of an event that is not
/// public, too: hence its deals.
async fn may_make(app: &App, actor: &Actor, event: EventId) -> Result<(), ApiError> {
    let deals_of = actor.partners().into_iter().map(|partner| (event, partner)).collect();
    let view = app.engine.view(&Needs { events: vec![event], deals_of, ..Needs::default() }).await?;
    let event = view.events.get(event).ok_or(Refusal::NotFound("event"))?;
    Ok(permission::make_promocode(actor, event, &view)?)
}
