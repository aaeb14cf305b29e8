//! `/v1/resources/events`

pub(super) mod create;
pub(super) mod delete;
pub(super) mod get;
pub(super) mod list;
pub(super) mod model;
pub(super) mod update;

use kassa_domain::event::{Event, EventId};
use kassa_domain::{Actor, ReadSet, Refusal, View};

use crate::app::AppState;
use crate::error::ApiError;

/// Refuses a caller whom a rule about this event refuses. An agent learns of an event that is not public, too:
/// hence its deals.
pub(super) async fn ensure_event_permission(
    app: &AppState,
    actor: &Actor,
    event: EventId,
    rule: impl FnOnce(&Actor, &Event, &View) -> Result<(), Refusal>,
) -> Result<(), ApiError> {
    let deals_of = actor.acting_partners().into_iter().map(|partner| (event, partner)).collect();
    let view = app.engine.view(&ReadSet { events: vec![event], deals_of, ..ReadSet::default() }).await?;
    let event = view.events.get(event).ok_or(Refusal::NotFound("event"))?;
    Ok(rule(actor, event, &view)?)
}
