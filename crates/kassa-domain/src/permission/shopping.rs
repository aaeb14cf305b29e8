//! What those may do who buy for themselves: visitors of a shop, and whoever has the link of an order.

use super::admission::inactivity;
use super::partners::act_for;
use crate::context::actor::Actor;
use crate::model::event::Event;
use crate::refusal::{CredentialFault, ForbiddenReason, Refusal};
use crate::values::resource_ids::PartnerId;
use crate::view::View;

/// A visitor is let in while the shop is open. The view has the partner.
pub fn admit_visitor(shop: PartnerId, view: &View) -> Result<(), Refusal> {
    if let Some(inactive) = inactivity(shop, view) {
        return Err(CredentialFault::PartnerInactive(inactive).into());
    }
    let is_open = view.partners.get(shop).is_some_and(|partner| partner.profile.shop.is_open);
    if is_open { Ok(()) } else { Err(ForbiddenReason::ShopClosed.into()) }
}

/// A partner sells in its own name, and its shop sells to visitors.
pub fn sell_for(actor: &Actor, vendor: PartnerId) -> Result<(), Refusal> {
    if *actor == Actor::Visitor(vendor) { Ok(()) } else { act_for(actor, vendor) }
}

/// What of an order its vendor changes and whoever buys for itself does not.
pub fn change_as_vendor(actor: &Actor, what: &'static str) -> Result<(), Refusal> {
    if actor.is_shopper() { Err(ForbiddenReason::VendorChangesOnly(what).into()) } else { Ok(()) }
}

/// How long an order of the event may hold its tickets, in minutes. Somebody who buys for itself may need more time to
/// read and to type, and gets as much again, once.
pub fn hold_minutes_max(actor: &Actor, event: &Event) -> u32 {
    if actor.is_shopper() { event.hold_minutes.saturating_mul(2) } else { event.hold_minutes }
}
