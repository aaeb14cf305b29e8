//! `/v1/resources/events`

mod create;
mod delete;
mod get;
mod list;
pub(super) mod model;
mod update;

use kassa_domain::event::{Event, EventId};
use kassa_domain::{Actor, ReadSet, Refusal, View};

use crate::app::AppState;
use crate::error::ApiError;
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
    let deals_of = actor.acting_partners().into_iter().map(|partner| (event, partner)).collect();
    let view = app.engine.view(&ReadSet { events: vec![event], deals_of, ..ReadSet::default() }).await?;
    let event = view.events.get(event).ok_or(Refusal::NotFound("event"))?;
    Ok(rule(actor, event, &view)?)
}
