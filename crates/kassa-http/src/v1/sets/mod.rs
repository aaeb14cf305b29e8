//! `/v1/resources/events/{event}/sets`

pub(super) mod create;
pub(super) mod delete;
pub(super) mod get;
pub(super) mod list;
pub(super) mod model;
mod seats;
pub(super) mod update;

use kassa_domain::deal::Deal;
use kassa_domain::event::{Event, EventId};
use kassa_domain::price::Terms;
use kassa_domain::{Actor, Needs, View, permission};

use crate::app::App;
use crate::error::ApiError;

/// The event that the caller may see, its sets, and the caller's deals for it.
pub(super) async fn visible(app: &App, actor: &Actor, id: EventId) -> Result<(Event, View), ApiError> {
    let deals_of = actor.partners().into_iter().map(|partner| (id, partner)).collect();
    let view = app.engine.view(&Needs { events: vec![id], sets_of: vec![id], deals_of, ..Needs::default() }).await?;
    let event = view.events.get(id).filter(|event| permission::sees_event(actor, event, &view)).cloned();
    Ok((event.ok_or_else(|| ApiError::not_found("event"))?, view))
}

/// The deal under which the caller sells an event: its newest accepted one. The organizer sells
/// without.
pub(super) fn deal_of<'a>(view: &'a View, actor: &Actor, event: &Event) -> Option<&'a Deal> {
    if permission::organizes(actor, event) {
        return None;
    }
    view.deal_of(event.id, &actor.partners())
}

/// The terms of that deal.
pub(super) fn terms_of<'a>(view: &'a View, actor: &Actor, event: &Event) -> Option<&'a Terms> {
    deal_of(view, actor, event).map(|deal| &deal.terms)
}
