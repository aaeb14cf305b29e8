//! Orders, with their tickets and refund requests.

use super::events::{organizes, sees_set};
use super::roles::decided_by_role;
use crate::context::actor::{Actor, UserActor};
use crate::model::event::Event;
use crate::model::order::Order;
use crate::model::refund::RefundRequest;
use crate::model::role::Capability;
use crate::model::set::TicketSet;
use crate::refusal::{ForbiddenReason, Refusal};
use crate::values::resource_ids::PartnerId;
use crate::view::View;

/// An order is seen by its vendor, by the organizer, by whoever has its link, and by the customer's user, once it has
/// proved that the order's e-mail is its own.
pub fn sees_order(actor: &Actor, order: &Order) -> bool {
    let bought = |own: &UserActor| {
        let email = order.customer.email.as_ref();
        order.customer.user == Some(own.user) && email.is_some_and(|email| own.confirmed_emails.contains(email))
    };
    let has_link = *actor == Actor::Buyer(order.id);
    has_link || actor.acts_for(order.vendor) || actor.acts_for(order.organizer) || actor.user().is_some_and(bought)
}

/// Sums of sales are seen by those who see the orders: partners whom the caller acts for, of what they organize and of
/// what they sold.
pub fn sees_sales_of(actor: &Actor) -> Vec<PartnerId> {
    actor.acting_partners()
}

/// The vendor changes an order; the organizer may only cancel it. Whoever has its link changes what is not the vendor's
/// alone: [`super::change_as_vendor`].
pub fn write_order(actor: &Actor, order: &Order, only_cancels: bool) -> Result<(), Refusal> {
    actor.require_credential()?;
    if *actor == Actor::Buyer(order.id) {
        return Ok(());
    }
    let sides = if only_cancels { vec![order.vendor, order.organizer] } else { vec![order.vendor] };
    if let Some(decided) = decided_by_role(actor, Capability::Sell, &sides) {
        return decided;
    }
    actor.require_second_factor_for(order.vendor)?;
    if sees_order(actor, order) { Err(ForbiddenReason::VendorOnly.into()) } else { Err(Refusal::NotFound("order")) }
}

/// A ticket is seen with its event and set; and by those who see the order that has it.
pub fn sees_ticket(actor: &Actor, event: &Event, set: &TicketSet, holder: Option<&Order>, view: &View) -> bool {
    sees_set(actor, event, set, view) || holder.is_some_and(|order| sees_order(actor, order))
}

/// Barcodes are for the order's vendor, its customer and the organizer.
pub fn sees_barcode(actor: &Actor, event: &Event, holder: Option<&Order>) -> bool {
    organizes(actor, event) || holder.is_some_and(|order| sees_order(actor, order))
}

/// Tickets of an order are asked back by its vendor or by the organizer, or by whoever has its link.
pub fn request_refund(actor: &Actor, order: &Order) -> Result<(), Refusal> {
    if *actor == Actor::Buyer(order.id) {
        return Ok(());
    }
    let decided = decided_by_role(actor, Capability::RequestRefunds, &[order.vendor, order.organizer]);
    decided.unwrap_or_else(|| Err(ForbiddenReason::VendorOrOrganizerOnly.into()))
}

/// A refund request is seen by the vendor and by the organizer, and by whoever has the link of its order.
pub fn sees_refund(actor: &Actor, refund: &RefundRequest) -> bool {
    *actor == Actor::Buyer(refund.order) || actor.acts_for(refund.vendor) || actor.acts_for(refund.organizer)
}

/// The organizer decides on a refund request.
pub fn decide_refund(actor: &Actor, refund: &RefundRequest) -> Result<(), Refusal> {
    actor.require_credential()?;
    actor.require_second_factor_for(refund.organizer)?;
    match decided_by_role(actor, Capability::HandleMoney, &[refund.organizer]) {
        Some(decided) => decided,
        None if sees_refund(actor, refund) => Err(ForbiddenReason::RefundOrganizerOnly.into()),
        None => Err(Refusal::NotFound("refund request")),
    }
}
