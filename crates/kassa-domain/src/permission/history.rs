//! Who reads what happened to a row: the partners whose own it is. Others see the row as it is, if they see it at all.

use super::deals::sees_deal;
use super::events::{organizes, sees_event, sees_set};
use super::orders::{sees_order, sees_refund};
use crate::context::actor::Actor;
use crate::model::deal::Deal;
use crate::model::event::Event;
use crate::model::order::Order;
use crate::model::partner::Partner;
use crate::model::refund::RefundRequest;
use crate::model::set::TicketSet;
use crate::refusal::{ForbiddenReason, Refusal};
use crate::values::resource_ids::PartnerId;
use crate::view::View;

/// Of an order: its vendor and the organizer. The customer sees the order only.
pub fn read_order_history(actor: &Actor, order: &Order) -> Result<(), Refusal> {
    read_sale_history(actor, [order.vendor, order.organizer], sees_order(actor, order), "order")
}

/// Of a refund request: the vendor and the organizer. The customer sees the request only.
pub fn read_refund_history(actor: &Actor, request: &RefundRequest) -> Result<(), Refusal> {
    read_sale_history(actor, [request.vendor, request.organizer], sees_refund(actor, request), "refund request")
}

fn read_sale_history(actor: &Actor, sides: [PartnerId; 2], is_seen: bool, what: &'static str) -> Result<(), Refusal> {
    read_history(actor, &sides, sides.iter().any(|side| actor.acts_for(*side)), is_seen, what)
}

/// Of a deal: its sides.
pub fn read_deal_history(actor: &Actor, deal: &Deal) -> Result<(), Refusal> {
    let (owners, is_own) = ([deal.agent, deal.organizer], sees_deal(actor, deal));
    read_history(actor, &owners, is_own, is_own, "deal")
}

/// Of an event: the organizer. The view has what [`sees_event`] looks at.
pub fn read_event_history(actor: &Actor, event: &Event, view: &View) -> Result<(), Refusal> {
    read_history(actor, &[event.organizer], organizes(actor, event), sees_event(actor, event, view), "event")
}

/// Of a set: the organizer of its event. The view has what [`sees_set`] looks at.
pub fn read_set_history(actor: &Actor, event: &Event, set: &TicketSet, view: &View) -> Result<(), Refusal> {
    read_history(actor, &[event.organizer], organizes(actor, event), sees_set(actor, event, set, view), "set")
}

/// Of a partner: its own users and keys, and its users also while it may not act.
pub fn read_partner_history(actor: &Actor, partner: &Partner) -> Result<(), Refusal> {
    let is_own = actor.acts_for(partner.id) || actor.inactivity_of(partner.id).is_some();
    read_history(actor, &[partner.id], is_own, !partner.removed, "partner")
}

fn read_history(
    actor: &Actor,
    owners: &[PartnerId],
    is_own: bool,
    is_seen: bool,
    what: &'static str,
) -> Result<(), Refusal> {
    actor.require_credential()?;
    if is_own {
        return Ok(());
    }
    owners.iter().try_for_each(|owner| actor.require_second_factor_for(*owner))?;
    if is_seen { Err(ForbiddenReason::OwnHistoryOnly.into()) } else { Err(Refusal::NotFound(what)) }
}
