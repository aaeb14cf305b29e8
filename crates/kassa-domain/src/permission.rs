//! Who may do what (decisions §2): one function per rule, and no rule anywhere else. Lists filter in
//! SQL by the same rules; a property test holds the two together.

use crate::actor::{Actor, UserActor};
use crate::attachment::Attachment;
use crate::deal::Deal;
use crate::event::Event;
use crate::order::Order;
use crate::partner::{Partner, PartnerId};
use crate::refund::RefundRequest;
use crate::refusal::Refusal;
use crate::set::Set;
use crate::user::UserId;
use crate::venue::Venue;
use crate::view::{Needs, View};

/// Only the command line beside the data.
pub fn operate(actor: &Actor) -> Result<(), Refusal> {
    if matches!(actor, Actor::Operator) { Ok(()) } else { Err(Refusal::Forbidden) }
}

/// Whether the user record is the actor's own.
pub fn is_self(actor: &Actor, user: UserId) -> bool {
    actor.user().is_some_and(|own| own.user == user)
}

/// A user changes its own data and nobody else's.
pub fn write_user(actor: &Actor, user: UserId) -> Result<(), Refusal> {
    actor.known()?;
    if is_self(actor, user) || matches!(actor, Actor::Operator) { Ok(()) } else { Err(Refusal::Forbidden) }
}

/// A user makes partners for itself to manage; the operator makes them for anybody.
pub fn make_partner(actor: &Actor, manager: UserId) -> Result<(), Refusal> {
    actor.known()?;
    if is_self(actor, manager) || matches!(actor, Actor::Operator) { Ok(()) } else { Err(Refusal::Forbidden) }
}

/// How much of a partner a caller sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartnerSight {
    /// Everything: its users and keys.
    Full,
    /// The face, `legal` and all of `contact`: the other side of an accepted deal.
    Side,
    /// The public face: `id, name, desc, media, tags, roles, contact.www`.
    Face,
}

/// How much of the partner the actor sees: at least the face, but nothing of a removed one that is
/// not its own. The view has what [`need_sight`] names.
pub fn see_partner(actor: &Actor, partner: &Partner, view: &View) -> Option<PartnerSight> {
    if actor.is(partner.id) {
        Some(PartnerSight::Full)
    } else if partner.removed {
        None
    } else if view.deals_with(partner.id, &actor.partners()) {
        Some(PartnerSight::Side)
    } else {
        Some(PartnerSight::Face)
    }
}

/// Names what [`see_partner`] looks at.
pub fn need_sight(actor: &Actor, partner: PartnerId, needs: &mut Needs) {
    if !actor.is(partner) {
        needs.dealt.extend(actor.partners().into_iter().flat_map(|own| [(own, partner), (partner, own)]));
    }
}

/// A partner is changed by its users and its keys. Of a removed one others see nothing.
pub fn write_partner(actor: &Actor, partner: &Partner) -> Result<(), Refusal> {
    actor.known()?;
    if actor.is(partner.id) {
        Ok(())
    } else if partner.removed {
        Err(Refusal::NotFound("partner"))
    } else {
        Err(Refusal::Forbidden)
    }
}

/// Keys are read and written by the partner's users and keys; others do not learn of them.
pub fn keys_of(actor: &Actor, partner: PartnerId) -> Result<(), Refusal> {
    actor.known()?;
    if actor.is(partner) { Ok(()) } else { Err(Refusal::NotFound("partner")) }
}

/// A partner uploads files in its own name.
pub fn attach(actor: &Actor, author: PartnerId) -> Result<(), Refusal> {
    actor.known()?;
    if actor.is(author) { Ok(()) } else { Err(Refusal::Forbidden) }
}

/// An attachment is its author's to see; the bytes are open to whoever has the url.
pub fn sees_attachment(actor: &Actor, attachment: &Attachment) -> bool {
    actor.is(attachment.author)
}

/// The pictures of an event or a partner are attachments of the one who puts them there.
pub fn shows_attachment(actor: &Actor, attachment: &Attachment) -> bool {
    sees_attachment(actor, attachment) && !attachment.removed
}

/// Whether anybody who has the url may have the bytes.
pub fn opens_file(attachment: &Attachment) -> bool {
    !attachment.removed
}

/// Everybody sees a venue; a removed one only the partner that made it.
pub fn sees_venue(actor: &Actor, venue: &Venue) -> bool {
    !venue.removed || actor.is(venue.org)
}

/// A venue is changed by the partner that made it.
pub fn write_venue(actor: &Actor, venue: &Venue) -> Result<(), Refusal> {
    actor.known()?;
    if actor.is(venue.org) {
        Ok(())
    } else if sees_venue(actor, venue) {
        Err(Refusal::Forbidden)
    } else {
        Err(Refusal::NotFound("venue"))
    }
}

/// Any organizer may use any venue that is not removed.
pub fn uses_venue(venue: &Venue) -> bool {
    !venue.removed
}

/// Whether the actor may see an event, its sets and its tickets: public ones everybody, others the
/// organizer, and agents whose accepted deal is in the view.
pub fn sees_event(actor: &Actor, event: &Event, view: &View) -> bool {
    event.is_public() || organizes(actor, event) || view.deal_of(event.id, &actor.partners()).is_some()
}

/// Whether the actor may sell an event: the organizer, and agents whose accepted deal is in the view.
/// A removed one nobody sells.
pub fn sells_event(actor: &Actor, event: &Event, view: &View) -> bool {
    sells_under(actor, event, view.deal_of(event.id, &actor.partners()))
}

/// The same, where the deal under which the actor's partners sell the event is known.
pub fn sells_under(actor: &Actor, event: &Event, deal: Option<&Deal>) -> bool {
    !event.removed && (organizes(actor, event) || deal.is_some())
}

/// A ticket is seen with its event and set; and by those who see the order that has it.
pub fn sees_ticket(actor: &Actor, event: &Event, set: &Set, holder: Option<&Order>, view: &View) -> bool {
    sees_set(actor, event, set, view) || holder.is_some_and(|order| sees_order(actor, order))
}

/// A set is seen with its event; a removed one by the organizer.
pub fn sees_set(actor: &Actor, event: &Event, set: &Set, view: &View) -> bool {
    sees_event(actor, event, view) && (!set.removed || organizes(actor, event))
}

/// Whether the actor is the event's organizer.
pub fn organizes(actor: &Actor, event: &Event) -> bool {
    actor.is(event.org)
}

/// An event, its sets and their blocked tickets are the organizer's to change.
pub fn write_event(actor: &Actor, event: &Event, view: &View) -> Result<(), Refusal> {
    actor.known()?;
    if organizes(actor, event) {
        Ok(())
    } else if sees_event(actor, event, view) {
        Err(Refusal::Forbidden)
    } else {
        Err(Refusal::NotFound("event"))
    }
}

/// The promocodes of an event are the organizer's to list, to read and to change; others do not learn of
/// them. Customers are told a code, and use it without seeing what is behind it.
pub fn open_promocodes(actor: &Actor, event: &Event) -> Result<(), Refusal> {
    open_to_organizer(actor, event, "promocode")
}

/// The promotions of an event are the organizer's to list, to read and to change; others do not learn of
/// them. What a promotion did to an order is in the order.
pub fn open_promotions(actor: &Actor, event: &Event) -> Result<(), Refusal> {
    open_to_organizer(actor, event, "promotion")
}

/// To others than the organizer there is none.
fn open_to_organizer(actor: &Actor, event: &Event, what: &'static str) -> Result<(), Refusal> {
    actor.known()?;
    if organizes(actor, event) { Ok(()) } else { Err(Refusal::NotFound(what)) }
}

/// A promocode is made under an event, by those who change the event.
pub fn make_promocode(actor: &Actor, event: &Event, view: &View) -> Result<(), Refusal> {
    write_event(actor, event, view)
}

/// Whether the actor sees a promocode of this event.
pub fn sees_promocode(actor: &Actor, event: &Event) -> bool {
    organizes(actor, event)
}

/// A promotion is made under an event, by those who change the event.
pub fn make_promotion(actor: &Actor, event: &Event, view: &View) -> Result<(), Refusal> {
    write_event(actor, event, view)
}

/// Whether the actor sees a promotion of this event.
pub fn sees_promotion(actor: &Actor, event: &Event) -> bool {
    organizes(actor, event)
}

/// An order is seen by its vendor, by the organizer, and by the customer's user, once it has proved
/// that the order's e-mail is its own.
pub fn sees_order(actor: &Actor, order: &Order) -> bool {
    let bought = |own: &UserActor| {
        let email = order.customer.email.as_ref();
        order.customer.user == Some(own.user) && email.is_some_and(|email| own.proved.contains(email))
    };
    actor.is(order.vendor) || actor.is(order.org) || actor.user().is_some_and(bought)
}

/// Whether the actor is a side of a deal: nobody else sees it.
pub fn sees_deal(actor: &Actor, deal: &Deal) -> bool {
    actor.is(deal.subj) || actor.is(deal.obj)
}

/// A deal is changed by its sides; which of them may do what depends on where it stands.
pub fn write_deal(actor: &Actor, deal: &Deal) -> Result<(), Refusal> {
    actor.known()?;
    if sees_deal(actor, deal) { Ok(()) } else { Err(Refusal::NotFound("deal")) }
}

/// A partner puts on sale and sells in its own name.
pub fn act_for(actor: &Actor, partner: PartnerId) -> Result<(), Refusal> {
    actor.known()?;
    if actor.is(partner) { Ok(()) } else { Err(Refusal::Forbidden) }
}

/// The vendor changes an order; the organizer may only cancel it.
pub fn write_order(actor: &Actor, order: &Order, only_cancels: bool) -> Result<(), Refusal> {
    actor.known()?;
    if !sees_order(actor, order) {
        return Err(Refusal::NotFound("order"));
    }
    let may = actor.is(order.vendor) || (only_cancels && actor.is(order.org));
    if may { Ok(()) } else { Err(Refusal::Forbidden) }
}

/// Tickets of an order are asked back by its vendor or by the organizer.
pub fn ask_for_refund(actor: &Actor, order: &Order) -> Result<(), Refusal> {
    if actor.is(order.vendor) || actor.is(order.org) { Ok(()) } else { Err(Refusal::Forbidden) }
}

/// A refund request is seen by the vendor and by the organizer.
pub fn sees_refund(actor: &Actor, refund: &RefundRequest) -> bool {
    actor.is(refund.vendor) || actor.is(refund.org)
}

/// The organizer decides on a refund request.
pub fn decide_refund(actor: &Actor, refund: &RefundRequest) -> Result<(), Refusal> {
    actor.known()?;
    if actor.is(refund.org) {
        Ok(())
    } else if sees_refund(actor, refund) {
        Err(Refusal::Forbidden)
    } else {
        Err(Refusal::NotFound("refund request"))
    }
}

/// Barcodes are for the order's vendor, its customer and the organizer.
pub fn sees_barcode(actor: &Actor, event: &Event, holder: Option<&Order>) -> bool {
    organizes(actor, event) || holder.is_some_and(|order| sees_order(actor, order))
}
