//! Events, their sets, promocodes and promotions: who sees them, who sells them, and who changes them.

use super::roles::decided_by_role;
use crate::context::actor::Actor;
use crate::model::deal::Deal;
use crate::model::event::Event;
use crate::model::role::Capability;
use crate::model::set::TicketSet;
use crate::refusal::{ForbiddenReason, Refusal};
use crate::values::time::Timestamp;
use crate::view::View;

/// Whether the actor may see an event, its sets and its tickets: public ones everybody, others the
/// organizer, and agents whose accepted deal is in the view. What an organizer that may not act has made public is not:
/// the view has the organizer, or the event counts as not public.
pub fn sees_event(actor: &Actor, event: &Event, view: &View) -> bool {
    (event.is_public() && view.is_organizer_active(event))
        || organizes(actor, event)
        || view.newest_deal_of(event.id, &actor.acting_partners()).is_some()
}

/// Whether the actor may sell an event: the organizer, and agents whose accepted deal is in the view, as the organizer
/// is. A removed one nobody sells, nor one whose organizer may not act.
pub fn sells_event(actor: &Actor, event: &Event, view: &View) -> bool {
    sells_under(actor, event, view.newest_deal_of(event.id, &actor.acting_partners()), view)
}

/// The same, where the deal under which the actor's partners sell the event is known.
pub fn sells_under(actor: &Actor, event: &Event, deal: Option<&Deal>, view: &View) -> bool {
    !event.removed && view.is_organizer_active(event) && (organizes(actor, event) || deal.is_some())
}

/// Whether tickets of an event are reserved at `now`. The view has its organizer.
pub fn is_on_sale(event: &Event, now: Timestamp, view: &View) -> bool {
    event.is_on_sale(now) && view.is_organizer_active(event)
}

/// A set is seen with its event; a removed one by the organizer.
pub fn sees_set(actor: &Actor, event: &Event, set: &TicketSet, view: &View) -> bool {
    sees_event(actor, event, view) && (!set.removed || organizes(actor, event))
}

/// Whether the actor is the event's organizer.
pub fn organizes(actor: &Actor, event: &Event) -> bool {
    actor.acts_for(event.organizer)
}

/// An event, its sets and their blocked tickets are the organizer's to change.
pub fn write_event(actor: &Actor, event: &Event, view: &View) -> Result<(), Refusal> {
    actor.require_credential()?;
    actor.require_second_factor_for(event.organizer)?;
    match decided_by_role(actor, Capability::Organize, &[event.organizer]) {
        Some(decided) => decided,
        None if sees_event(actor, event, view) => Err(ForbiddenReason::OrganizerOnly.into()),
        None => Err(Refusal::NotFound("event")),
    }
}

/// The promocodes of an event are the organizer's to list and to read; others do not learn of them. Customers are told
/// a code, and use it without seeing what is behind it.
pub fn read_promocodes(actor: &Actor, event: &Event) -> Result<(), Refusal> {
    require_organizer(actor, event, "promocode")
}

/// Promocodes are changed by those who change the event.
pub fn manage_promocodes(actor: &Actor, event: &Event) -> Result<(), Refusal> {
    change_as_organizer(actor, event, "promocode")
}

/// The promotions of an event are the organizer's to list and to read; others do not learn of them. What a promotion did
/// to an order is in the order.
pub fn read_promotions(actor: &Actor, event: &Event) -> Result<(), Refusal> {
    require_organizer(actor, event, "promotion")
}

/// Promotions are changed by those who change the event.
pub fn manage_promotions(actor: &Actor, event: &Event) -> Result<(), Refusal> {
    change_as_organizer(actor, event, "promotion")
}

fn change_as_organizer(actor: &Actor, event: &Event, what: &'static str) -> Result<(), Refusal> {
    require_organizer(actor, event, what)?;
    decided_by_role(actor, Capability::Organize, &[event.organizer]).unwrap_or(Err(Refusal::NotFound(what)))
}

/// To others than the organizer there is none.
fn require_organizer(actor: &Actor, event: &Event, what: &'static str) -> Result<(), Refusal> {
    actor.require_credential()?;
    actor.require_second_factor_for(event.organizer)?;
    if organizes(actor, event) { Ok(()) } else { Err(Refusal::NotFound(what)) }
}

/// A promocode is made under an event, by those who change the event.
pub fn create_promocode(actor: &Actor, event: &Event, view: &View) -> Result<(), Refusal> {
    write_event(actor, event, view)
}

/// Whether the actor sees a promocode of this event.
pub fn sees_promocode(actor: &Actor, event: &Event) -> bool {
    organizes(actor, event)
}

/// A promotion is made under an event, by those who change the event.
pub fn create_promotion(actor: &Actor, event: &Event, view: &View) -> Result<(), Refusal> {
    write_event(actor, event, view)
}

/// Whether the actor sees a promotion of this event.
pub fn sees_promotion(actor: &Actor, event: &Event) -> bool {
    organizes(actor, event)
}
