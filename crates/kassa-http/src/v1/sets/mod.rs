//! `/v1/resources/events/{event}/sets`

mod create;
mod delete;
mod get;
mod list;
pub(super) mod model;
mod update;

use kassa_domain::deal::Deal;
use kassa_domain::event::{Event, EventId};
use kassa_domain::price::Terms;
use kassa_domain::{Actor, ReadSet, View, permission};

use crate::app::AppState;
use crate::error::ApiError;
use crate::related::events_and_deals;
use crate::route::{ApiRoutes, endpoints};

/// Adds these endpoints.
pub(super) fn routes(routes: ApiRoutes<AppState>) -> ApiRoutes<AppState> {
    endpoints!(routes, "/v1/resources", [list, create, get, update, delete])
}

/// An event that the caller may see.
pub(super) struct VisibleEvent {
    pub(super) event: Event,
    /// Its sets, and the caller's deals for it.
    pub(super) view: View,
}

pub(super) async fn load_visible_event(app: &AppState, actor: &Actor, id: EventId) -> Result<VisibleEvent, ApiError> {
    load_visible_event_with(app, actor, id, ReadSet::default()).await
}

/// The same, and what `related` names.
pub(super) async fn load_visible_event_with(
    app: &AppState,
    actor: &Actor,
    id: EventId,
    related: ReadSet,
) -> Result<VisibleEvent, ApiError> {
    let ReadSet { events, organizers_of, deals_of, .. } = events_and_deals(actor, vec![id]);
    let view = app.engine.view(&ReadSet { events, organizers_of, deals_of, sets_of: vec![id], ..related }).await?;
    let event = view.events.get(id).filter(|event| permission::sees_event(actor, event, &view)).cloned();
    Ok(VisibleEvent { event: event.ok_or_else(|| ApiError::not_found("event"))?, view })
}

/// The deal under which the caller sells an event: its newest accepted one. The organizer sells
/// without.
pub(super) fn seller_deal<'a>(view: &'a View, actor: &Actor, event: &Event) -> Option<&'a Deal> {
    if permission::organizes(actor, event) {
        return None;
    }
    view.newest_deal_of(event.id, &actor.selling_partners())
}

/// The terms of that deal.
pub(super) fn seller_terms<'a>(view: &'a View, actor: &Actor, event: &Event) -> Option<&'a Terms> {
    seller_deal(view, actor, event).map(|deal| &deal.terms)
}
