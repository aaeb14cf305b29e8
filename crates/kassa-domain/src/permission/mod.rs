//! Who may do what: one function per rule, and no rule anywhere else. Lists filter in
//! SQL by the same rules; a property test holds the two together.

mod history;
mod shopping;

pub use history::{
    read_deal_history, read_event_history, read_order_history, read_partner_history, read_refund_history,
    read_set_history,
};
pub use shopping::{admit_visitor, change_as_vendor, handle_money, hold_minutes_max, sell_for};

use std::borrow::Cow;

use crate::context::RegistrationPolicy;
use crate::context::actor::{Actor, UserActor};
use crate::model::attachment::Attachment;
use crate::model::deal::Deal;
use crate::model::event::Event;
use crate::model::invitation::{Invitation, InvitationKey};
use crate::model::order::Order;
use crate::model::partner::Partner;
use crate::model::refund::RefundRequest;
use crate::model::set::TicketSet;
use crate::model::suspension::Inactivity;
use crate::model::user::User;
use crate::model::venue::Venue;
use crate::refusal::{CredentialFault, ForbiddenReason, Refusal};
use crate::values::email::Email;
use crate::values::resource_ids::{PartnerId, UserId};
use crate::values::time::Timestamp;
use crate::view::{ReadSet, View};

/// The actor as it may act now: what its credential says may be some seconds old, and the operator suspends partners
/// and users at any time. A user acts without those of its partners that may not act. The view has what
/// [`add_actor_reads`] names. Everything that is decided for an actor asks this first.
pub fn admit<'a>(actor: &'a Actor, view: &View) -> Result<Cow<'a, Actor>, Refusal> {
    match actor {
        Actor::Partner(partner) => match inactivity(*partner, view) {
            None => Ok(Cow::Borrowed(actor)),
            Some(inactive) => Err(CredentialFault::PartnerInactive(inactive).into()),
        },
        Actor::User(user) => match admit_session(user, view)? {
            Cow::Borrowed(_) => Ok(Cow::Borrowed(actor)),
            Cow::Owned(user) => Ok(Cow::Owned(Actor::User(user))),
        },
        Actor::Visitor(shop) => admit_visitor(*shop, view).map(|()| Cow::Borrowed(actor)),
        Actor::Anonymous | Actor::Buyer(_) | Actor::Operator | Actor::System => Ok(Cow::Borrowed(actor)),
    }
}

/// The same of the user of a session, who also acts without those partners that require the second factor it lacks.
pub fn admit_session<'a>(user: &'a UserActor, view: &View) -> Result<Cow<'a, UserActor>, Refusal> {
    admit_user(view.users.get(user.user))?;
    let is_locked = |partner: PartnerId| {
        !user.has_second_factor
            && view.partners.get(partner).is_some_and(|partner| partner.profile.require_second_factor)
    };
    if let Some(chosen) = user.acting_for {
        return match inactivity(chosen, view) {
            Some(inactive) => Err(Refusal::PartnerInactive(inactive)),
            None if is_locked(chosen) => Err(Refusal::PartnerRequiresSecondFactor),
            None => Ok(Cow::Borrowed(user)),
        };
    }
    let may_act = |partner: &PartnerId| inactivity(*partner, view).is_none() && !is_locked(*partner);
    if user.managed_partners.iter().all(may_act) {
        return Ok(Cow::Borrowed(user));
    }
    let mut admitted = user.clone();
    admitted.managed_partners.retain(may_act);
    for partner in user.managed_partners.iter().copied().filter(|partner| !may_act(partner)) {
        // One that may not act may be brought back, but not by those whom it would not let act then.
        if is_locked(partner) {
            admitted.locked_partners.push(partner);
        }
        if let Some(inactive) = inactivity(partner, view) {
            admitted.inactive_partners.push((partner, inactive));
        }
    }
    Ok(Cow::Owned(admitted))
}

fn inactivity(partner: PartnerId, view: &View) -> Option<Inactivity> {
    view.partners.get(partner).and_then(Partner::inactivity)
}

/// A suspended user neither logs in nor acts.
pub fn admit_user(user: Option<&User>) -> Result<(), Refusal> {
    if user.is_some_and(|user| user.suspension.is_some()) {
        return Err(CredentialFault::UserSuspended.into());
    }
    Ok(())
}

/// Names what [`admit`] looks at.
pub fn add_actor_reads(actor: &Actor, read_set: &mut ReadSet) {
    read_set.acting_users.extend(actor.user().map(|user| user.user));
    read_set.acting_partners.extend(actor.selling_partners());
}

/// Only the command line beside the data.
pub fn require_operator(actor: &Actor) -> Result<(), Refusal> {
    if matches!(actor, Actor::Operator) { Ok(()) } else { Err(ForbiddenReason::OperatorOnly.into()) }
}

/// Whether the user record is the actor's own.
pub fn is_self(actor: &Actor, user: UserId) -> bool {
    actor.user().is_some_and(|own| own.user == user)
}

/// Whether an e-mail may be registered now, as far as that is not open to everybody. The view has the invitations that
/// went to it, and is asked for the partners that sent them.
pub fn register(
    actor: &Actor,
    email: &Email,
    policy: RegistrationPolicy,
    now: Timestamp,
    view: &mut View,
) -> Result<(), Refusal> {
    match policy {
        _ if matches!(actor, Actor::Operator) => Ok(()),
        RegistrationPolicy::Open => Ok(()),
        RegistrationPolicy::Invite if is_invited(email, now, view) => Ok(()),
        RegistrationPolicy::Invite => Err(Refusal::RegistrationByInvitation),
        RegistrationPolicy::Closed => Err(Refusal::RegistrationClosed),
    }
}

/// Whether the operator has invited an e-mail, or a partner that may act. An invitation is used up once an account was
/// registered by it that has moved on to another address.
fn is_invited(email: &Email, now: Timestamp, view: &mut View) -> bool {
    let is_open = |invitation: &&Invitation| invitation.email == *email && invitation.is_pending(now);
    let open: Vec<InvitationKey> = view.invitations.rows().filter(is_open).map(|invitation| invitation.key).collect();
    let mut is_good = |key: &InvitationKey| {
        let may_invite = key
            .partner
            .is_none_or(|partner| view.require_partner(partner).is_some_and(|partner| partner.inactivity().is_none()));
        let is_used_up = |user: &User| user.password_hash().is_some() && user.email != *email;
        let is_unused = view.require_user(key.user).is_some_and(|user| !is_used_up(user));
        may_invite && is_unused
    };
    // All are looked at, so that all that are missing are asked for at once.
    open.iter().filter(|key| is_good(key)).count() > 0
}

/// A user changes its own data and nobody else's.
pub fn write_user(actor: &Actor, user: UserId) -> Result<(), Refusal> {
    actor.require_credential()?;
    if is_self(actor, user) || matches!(actor, Actor::Operator) {
        Ok(())
    } else {
        Err(ForbiddenReason::OwnAccountOnly.into())
    }
}

/// A user answers its invitations, and nobody else does or learns of them.
pub fn answer_invitation(actor: &Actor, user: UserId) -> Result<(), Refusal> {
    actor.require_credential()?;
    if is_self(actor, user) { Ok(()) } else { Err(Refusal::NotFound("user")) }
}

/// A user makes partners for itself to manage; the operator makes them for anybody.
pub fn create_partner(actor: &Actor, manager: UserId) -> Result<(), Refusal> {
    actor.require_credential()?;
    if is_self(actor, manager) || matches!(actor, Actor::Operator) {
        Ok(())
    } else {
        Err(ForbiddenReason::UserOnly.into())
    }
}

/// How much of a partner a caller sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartnerVisibility {
    /// Everything: its users and keys.
    Full,
    /// The face, `legal` and all of `contact`: the other side of an accepted deal.
    Counterparty,
    /// The public face: `id, name, desc, media, tags, roles, contact.www`.
    Public,
}

/// How much of the partner the actor sees: at least the face, but nothing of a removed one that is
/// not its own. The view has what [`add_partner_visibility_reads`] names.
pub fn partner_visibility(actor: &Actor, partner: &Partner, view: &View) -> Option<PartnerVisibility> {
    if actor.acts_for(partner.id) || actor.inactivity_of(partner.id).is_some() {
        Some(PartnerVisibility::Full)
    } else if partner.removed {
        None
    } else if view.has_deal_with(partner.id, &actor.acting_partners()) {
        Some(PartnerVisibility::Counterparty)
    } else {
        Some(PartnerVisibility::Public)
    }
}

/// Names what [`partner_visibility`] looks at.
pub fn add_partner_visibility_reads(actor: &Actor, partner: PartnerId, read_set: &mut ReadSet) {
    if !actor.own_partners().contains(&partner) {
        read_set
            .deals_between
            .extend(actor.acting_partners().into_iter().flat_map(|own| [(own, partner), (partner, own)]));
    }
}

/// A partner is changed by its users and its keys. Of a removed one others see nothing; its users may bring it back,
/// which is what a change that `restores` does first, unless it is suspended.
pub fn write_partner(actor: &Actor, partner: &Partner, restores: bool) -> Result<(), Refusal> {
    actor.require_credential()?;
    actor.require_second_factor_for(partner.id)?;
    match actor.inactivity_of(partner.id) {
        Some(Inactivity::Removed) if restores => return Ok(()),
        Some(inactive) => return Err(Refusal::PartnerInactive(inactive)),
        None => {}
    }
    if actor.acts_for(partner.id) {
        Ok(())
    } else if partner.removed {
        Err(Refusal::NotFound("partner"))
    } else {
        Err(ForbiddenReason::PartnerOnly.into())
    }
}

/// Whether a partner requires a second factor of its users is for those to say who have one, and for the operator.
pub fn change_second_factor_rule(actor: &Actor) -> Result<(), Refusal> {
    let may = matches!(actor, Actor::Operator) || actor.user().is_some_and(|user| user.has_second_factor);
    if may { Ok(()) } else { Err(ForbiddenReason::SecondFactorHoldersOnly.into()) }
}

/// Keys are read and written by the partner's users and keys; others do not learn of them.
pub fn manage_keys(actor: &Actor, partner: PartnerId) -> Result<(), Refusal> {
    actor.require_credential()?;
    actor.require_second_factor_for(partner)?;
    if actor.acts_for(partner) { Ok(()) } else { Err(Refusal::NotFound("partner")) }
}

/// Webhooks are read and written by the partner's users and keys; others do not learn of them.
pub fn manage_webhooks(actor: &Actor, partner: PartnerId) -> Result<(), Refusal> {
    manage_keys(actor, partner)
}

/// A partner uploads files in its own name.
pub fn upload_attachment(actor: &Actor, author: PartnerId) -> Result<(), Refusal> {
    actor.require_credential()?;
    actor.require_second_factor_for(author)?;
    if actor.acts_for(author) { Ok(()) } else { Err(ForbiddenReason::OwnPartnerOnly.into()) }
}

/// An attachment is its author's to see; the bytes are open to whoever has the url.
pub fn sees_attachment(actor: &Actor, attachment: &Attachment) -> bool {
    actor.acts_for(attachment.author)
}

/// The pictures of an event or a partner are attachments of the one who puts them there.
pub fn may_publish_attachment(actor: &Actor, attachment: &Attachment) -> bool {
    sees_attachment(actor, attachment) && !attachment.removed
}

/// Whether anybody who has the url may have the bytes.
pub fn is_downloadable(attachment: &Attachment) -> bool {
    !attachment.removed
}

/// Everybody sees a venue; a removed one only the partner that made it.
pub fn sees_venue(actor: &Actor, venue: &Venue) -> bool {
    !venue.removed || actor.acts_for(venue.owner)
}

/// A venue is changed by the partner that made it.
pub fn write_venue(actor: &Actor, venue: &Venue) -> Result<(), Refusal> {
    actor.require_credential()?;
    actor.require_second_factor_for(venue.owner)?;
    if actor.acts_for(venue.owner) {
        Ok(())
    } else if sees_venue(actor, venue) {
        Err(ForbiddenReason::VenueOwnerOnly.into())
    } else {
        Err(Refusal::NotFound("venue"))
    }
}

/// Any organizer may use any venue that is not removed.
pub fn is_venue_usable(venue: &Venue) -> bool {
    !venue.removed
}

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

/// A ticket is seen with its event and set; and by those who see the order that has it.
pub fn sees_ticket(actor: &Actor, event: &Event, set: &TicketSet, holder: Option<&Order>, view: &View) -> bool {
    sees_set(actor, event, set, view) || holder.is_some_and(|order| sees_order(actor, order))
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
    if organizes(actor, event) {
        Ok(())
    } else if sees_event(actor, event, view) {
        Err(ForbiddenReason::OrganizerOnly.into())
    } else {
        Err(Refusal::NotFound("event"))
    }
}

/// The promocodes of an event are the organizer's to list, to read and to change; others do not learn of
/// them. Customers are told a code, and use it without seeing what is behind it.
pub fn manage_promocodes(actor: &Actor, event: &Event) -> Result<(), Refusal> {
    require_organizer(actor, event, "promocode")
}

/// The promotions of an event are the organizer's to list, to read and to change; others do not learn of
/// them. What a promotion did to an order is in the order.
pub fn manage_promotions(actor: &Actor, event: &Event) -> Result<(), Refusal> {
    require_organizer(actor, event, "promotion")
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

/// Whether the actor is a side of a deal: nobody else sees it.
pub fn sees_deal(actor: &Actor, deal: &Deal) -> bool {
    actor.acts_for(deal.agent) || actor.acts_for(deal.organizer)
}

/// A deal is changed by its sides; which of them may do what depends on where it stands.
pub fn write_deal(actor: &Actor, deal: &Deal) -> Result<(), Refusal> {
    actor.require_credential()?;
    if sees_deal(actor, deal) {
        return Ok(());
    }
    actor.require_second_factor_for(deal.agent)?;
    actor.require_second_factor_for(deal.organizer)?;
    Err(Refusal::NotFound("deal"))
}

/// A partner puts on sale and sells in its own name.
pub fn act_for(actor: &Actor, partner: PartnerId) -> Result<(), Refusal> {
    actor.require_credential()?;
    actor.require_second_factor_for(partner)?;
    if actor.acts_for(partner) { Ok(()) } else { Err(ForbiddenReason::OwnPartnerOnly.into()) }
}

/// Lists of a partner's orders are mailed to its managers who may act, at the e-mails that they have proved to be their
/// own.
pub fn receives_exports(user: &User, email: &Email, partner: PartnerId, view: &View) -> bool {
    let may_read = user.suspension.is_none() && user.email == *email && user.is_email_confirmed();
    may_read && view.managers.get((partner, user.id)).is_some()
}

/// The vendor changes an order; the organizer may only cancel it. Of what whoever has its link may change see
/// [`check_shopper_edit`].
pub fn write_order(actor: &Actor, order: &Order, only_cancels: bool) -> Result<(), Refusal> {
    actor.require_credential()?;
    let has_link = *actor == Actor::Buyer(order.id);
    if has_link || actor.acts_for(order.vendor) || (only_cancels && actor.acts_for(order.organizer)) {
        return Ok(());
    }
    actor.require_second_factor_for(order.vendor)?;
    if sees_order(actor, order) { Err(ForbiddenReason::VendorOnly.into()) } else { Err(Refusal::NotFound("order")) }
}

/// Tickets of an order are asked back by its vendor or by the organizer, or by whoever has its link.
pub fn request_refund(actor: &Actor, order: &Order) -> Result<(), Refusal> {
    if *actor == Actor::Buyer(order.id) || actor.acts_for(order.vendor) || actor.acts_for(order.organizer) {
        Ok(())
    } else {
        Err(ForbiddenReason::VendorOrOrganizerOnly.into())
    }
}

/// A refund request is seen by the vendor and by the organizer, and by whoever has the link of its order.
pub fn sees_refund(actor: &Actor, refund: &RefundRequest) -> bool {
    *actor == Actor::Buyer(refund.order) || actor.acts_for(refund.vendor) || actor.acts_for(refund.organizer)
}

/// The organizer decides on a refund request.
pub fn decide_refund(actor: &Actor, refund: &RefundRequest) -> Result<(), Refusal> {
    actor.require_credential()?;
    actor.require_second_factor_for(refund.organizer)?;
    if actor.acts_for(refund.organizer) {
        Ok(())
    } else if sees_refund(actor, refund) {
        Err(ForbiddenReason::RefundOrganizerOnly.into())
    } else {
        Err(Refusal::NotFound("refund request"))
    }
}

/// Barcodes are for the order's vendor, its customer and the organizer.
pub fn sees_barcode(actor: &Actor, event: &Event, holder: Option<&Order>) -> bool {
    organizes(actor, event) || holder.is_some_and(|order| sees_order(actor, order))
}
