//! `/v2/resources/events/{event}/availability`

pub(super) mod get;
pub(super) mod layout;
mod model;
pub(super) mod stream;

use kassa_domain::event::{Event, EventId};
use kassa_domain::{Actor, permission};
use kassa_engine::Engine;
use kassa_engine::availability::Availability;

use crate::error::ApiError;
use crate::related::events_and_deals;

/// What is left of an event that the caller sees, and how often that was edited.
async fn load_visible(engine: &Engine, actor: &Actor, id: EventId) -> Result<(Availability, i64), ApiError> {
    let view = engine.inventory_view(id, &events_and_deals(actor, vec![id])).await?;
    let sees = |event: &&Event| permission::sees_event(actor, event, &view);
    let event = view.events.get(id).filter(sees).ok_or_else(|| ApiError::not_found("event"))?;
    let availability = Availability::of(id, &view, engine.now(), None).ok_or_else(|| ApiError::not_found("event"))?;
    Ok((availability, event.revision.number()))
}
