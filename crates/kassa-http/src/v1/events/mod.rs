//! `/v1/resources/events`

mod create;
mod delete;
mod get;
mod list;
pub(super) mod model;
mod questions;
mod stream;
mod translations;
mod update;

use kassa_domain::event::{Event, EventId};
use kassa_domain::{Actor, Refusal, View};

use crate::app::AppState;
use crate::error::ApiError;
use crate::related::events_and_deals;
use crate::route::{ApiRoutes, endpoints};

/// Adds these endpoints.
pub(super) fn routes(routes: ApiRoutes<AppState>) -> ApiRoutes<AppState> {
    endpoints!(routes, "/v1/resources", [list, create, get, update, delete])
}

/// Refuses a caller whom a rule about this event refuses. An agent learns of an event that is not public, too:
/// hence its deals.
pub(super) async fn ensure_event_permission(
    app: &AppState,
    actor: &Actor,
    event: EventId,
    rule: impl FnOnce(&Actor, &Event, &View) -> Result<(), Refusal>,
) -> Result<(), ApiError> {
    let view = app.engine.view(&events_and_deals(actor, vec![event])).await?;
    let event = view.events.get(event).ok_or(Refusal::NotFound("event"))?;
    Ok(rule(actor, event, &view)?)
}
