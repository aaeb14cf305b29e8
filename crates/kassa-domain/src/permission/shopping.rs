//! What those may do who buy for themselves: visitors of a shop, and whoever has the link of an order.

use super::events::{sees_event, sells_event};
use super::orders::{sees_order, write_order};
use super::partners::act_for;
use super::roles::decided_by_role;
use crate::context::DecisionSettings;
use crate::context::actor::Actor;
use crate::model::event::Event;
use crate::model::order::{HoldLimits, Order, OrderStatusKind};
use crate::model::payment::OrderPayment;
use crate::model::role::Capability;
use crate::model::shop::PaymentProvider;
use crate::refusal::{ForbiddenReason, Refusal};
use crate::values::resource_ids::{EventId, OrderId, PartnerId, PaymentId};
use crate::view::View;

/// A partner sells in its own name, and its shop sells to visitors: those whose token names an event, that event.
pub fn sell_for(actor: &Actor, vendor: PartnerId, event: EventId) -> Result<(), Refusal> {
    let Some(visit) = actor.shop_visit().filter(|visit| visit.shop == vendor) else {
        return act_for(actor, Capability::Sell, vendor);
    };
    let sells = visit.event.is_none_or(|sold| sold == event);
    if sells { Ok(()) } else { Err(ForbiddenReason::AnotherEvent.into()) }
}

/// Whether the actor may ask what a promocode of an event does: whoever sells it, and a visitor of a shop that sells it to
/// visitors who see it. The view has the event's organizer and the deals of the shop.
pub fn may_use_promocodes(actor: &Actor, event: &Event, view: &View) -> bool {
    let Some(visit) = actor.shop_visit() else { return sells_event(actor, event, view) };
    let is_its_own = visit.shop == event.organizer || view.newest_deal_of(event.id, &[visit.shop]).is_some();
    is_its_own && sell_for(actor, visit.shop, event.id).is_ok() && sees_event(actor, event, view)
}

/// What of an order its vendor changes and whoever buys for itself does not.
pub fn change_as_vendor(actor: &Actor, what: &'static str) -> Result<(), Refusal> {
    if actor.is_shopper() { Err(ForbiddenReason::VendorChangesOnly(what).into()) } else { Ok(()) }
}

/// Whoever buys for itself changes what it pays until it begins to pay: the payment that has begun is for that sum.
pub fn change_prices(actor: &Actor, order: &Order) -> Result<(), Refusal> {
    let state = order.state();
    if state == OrderStatusKind::AwaitingPayment && actor.is_shopper() {
        return Err(Refusal::OrderFinal(state));
    }
    Ok(())
}

/// Whoever may pay an order says how a test of a payment shall end. The view has both.
pub fn play_payment<'a>(
    actor: &Actor,
    order: OrderId,
    payment: PaymentId,
    view: &'a View,
) -> Result<&'a OrderPayment, Refusal> {
    write_order(actor, view.orders.get(order).ok_or(Refusal::NotFound("order"))?, false)?;
    payment_of(order, payment, view)
}

/// The money of an order is its vendor's: who says that some has come or gone. What is paid at the door, whoever sells
/// takes. Whoever does not see the order is told of no payment. The view has both.
pub fn receive_money<'a>(
    actor: &Actor,
    order: OrderId,
    payment: PaymentId,
    view: &'a View,
) -> Result<&'a OrderPayment, Refusal> {
    let is_at_door = view.payments.get(payment).is_some_and(|payment| payment.provider == PaymentProvider::Door);
    let needs = if is_at_door { Capability::Sell } else { Capability::HandleMoney };
    payment_as_vendor(actor, needs, order, payment, view)
}

/// What is given back of the money of an order, its vendor says, too.
pub fn give_money_back<'a>(
    actor: &Actor,
    order: OrderId,
    payment: PaymentId,
    view: &'a View,
) -> Result<&'a OrderPayment, Refusal> {
    payment_as_vendor(actor, Capability::HandleMoney, order, payment, view)
}

fn payment_as_vendor<'a>(
    actor: &Actor,
    needs: Capability,
    order: OrderId,
    payment: PaymentId,
    view: &'a View,
) -> Result<&'a OrderPayment, Refusal> {
    actor.require_credential()?;
    let order = view.orders.get(order).filter(|order| sees_order(actor, order)).ok_or(Refusal::NotFound("order"))?;
    let payment = payment_of(order.id, payment, view)?;
    actor.require_second_factor_for(order.vendor)?;
    let decided = decided_by_role(actor, needs, &[order.vendor]);
    decided.unwrap_or_else(|| Err(ForbiddenReason::VendorOnly.into())).map(|()| payment)
}

fn payment_of(order: OrderId, payment: PaymentId, view: &View) -> Result<&OrderPayment, Refusal> {
    view.payments.get(payment).filter(|payment| payment.order == order).ok_or(Refusal::NotFound("payment"))
}

/// How much may be held at an event without being paid: nobody knows who buys for itself, and sellers answer for what
/// they hold.
pub fn hold_limits(actor: &Actor, settings: &DecisionSettings) -> HoldLimits {
    if actor.is_shopper() { settings.holds } else { HoldLimits::OFF }
}

/// How long an order of the event may hold its tickets, in minutes. Somebody who buys for itself may need more time to
/// read and to type, and gets as much again, once.
pub fn hold_minutes_max(actor: &Actor, event: &Event) -> u32 {
    if actor.is_shopper() { event.hold_minutes.saturating_mul(2) } else { event.hold_minutes }
}

/// Whether somebody may leave single seats where the event does not have that: its organizer, when it sells for itself.
pub fn chooses_any_seats(actor: &Actor, event: &Event) -> bool {
    actor.acts_for(event.organizer)
}
