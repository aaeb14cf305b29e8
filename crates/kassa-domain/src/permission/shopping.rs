//! What those may do who buy for themselves: visitors of a shop, and whoever has the link of an order.

use super::orders::sees_order;
use super::partners::act_for;
use crate::context::actor::Actor;
use crate::model::event::Event;
use crate::model::payment::OrderPayment;
use crate::refusal::{ForbiddenReason, Refusal};
use crate::values::resource_ids::{EventId, OrderId, PartnerId, PaymentId};
use crate::view::View;

/// A partner sells in its own name, and its shop sells to visitors: those whose token names an event, that event.
pub fn sell_for(actor: &Actor, vendor: PartnerId, event: EventId) -> Result<(), Refusal> {
    let Some(visit) = actor.shop_visit().filter(|visit| visit.shop == vendor) else { return act_for(actor, vendor) };
    let sells = visit.event.is_none_or(|sold| sold == event);
    if sells { Ok(()) } else { Err(ForbiddenReason::AnotherEvent.into()) }
}

/// What of an order its vendor changes and whoever buys for itself does not.
pub fn change_as_vendor(actor: &Actor, what: &'static str) -> Result<(), Refusal> {
    if actor.is_shopper() { Err(ForbiddenReason::VendorChangesOnly(what).into()) } else { Ok(()) }
}

/// The money of an order is its vendor's: who says that some has come or gone. Whoever does not see the order is told of
/// no payment. The view has both.
pub fn handle_money<'a>(
    actor: &Actor,
    order: OrderId,
    payment: PaymentId,
    view: &'a View,
) -> Result<&'a OrderPayment, Refusal> {
    actor.require_credential()?;
    let order = view.orders.get(order).filter(|order| sees_order(actor, order)).ok_or(Refusal::NotFound("order"))?;
    let payment = view.payments.get(payment).filter(|payment| payment.order == order.id);
    let payment = payment.ok_or(Refusal::NotFound("payment"))?;
    actor.require_second_factor_for(order.vendor)?;
    if actor.acts_for(order.vendor) { Ok(payment) } else { Err(ForbiddenReason::VendorOnly.into()) }
}

/// How long an order of the event may hold its tickets, in minutes. Somebody who buys for itself may need more time to
/// read and to type, and gets as much again, once.
pub fn hold_minutes_max(actor: &Actor, event: &Event) -> u32 {
    if actor.is_shopper() { event.hold_minutes.saturating_mul(2) } else { event.hold_minutes }
}
