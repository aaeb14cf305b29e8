//! Who may act at all, now.

use std::borrow::Cow;

use crate::context::actor::{Actor, ShopVisit, UserActor};
use crate::model::partner::Partner;
use crate::model::role::Membership;
use crate::model::suspension::Inactivity;
use crate::model::user::User;
use crate::refusal::{CredentialFault, ForbiddenReason, Refusal};
use crate::values::resource_ids::PartnerId;
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
        Actor::Visitor(visit) => admit_visitor(*visit, view).map(|()| Cow::Borrowed(actor)),
        Actor::Anonymous | Actor::Buyer(_) | Actor::Operator | Actor::System => Ok(Cow::Borrowed(actor)),
    }
}

/// The same of the user of a session, who also acts without those partners that require the second factor it lacks.
pub fn admit_session<'a>(user: &'a UserActor, view: &View) -> Result<Cow<'a, UserActor>, Refusal> {
    let found = view.users.get(user.user);
    admit_user(found)?;
    let mut admitted = Cow::Borrowed(user);
    if user.is_operator && found.is_none_or(|found| found.operator_since.is_none()) {
        admitted.to_mut().is_operator = false;
    }
    let is_locked = |partner: PartnerId| {
        !user.has_second_factor
            && view.partners.get(partner).is_some_and(|partner| partner.profile.require_second_factor)
    };
    if let Some(chosen) = user.acting_for {
        return match inactivity(chosen, view) {
            Some(inactive) => Err(Refusal::PartnerInactive(inactive)),
            None if is_locked(chosen) => Err(Refusal::PartnerRequiresSecondFactor),
            None => Ok(admitted),
        };
    }
    let may_act = |managed: &Membership| inactivity(managed.partner, view).is_none() && !is_locked(managed.partner);
    if user.managed_partners.iter().all(may_act) {
        return Ok(admitted);
    }
    let changed = admitted.to_mut();
    changed.managed_partners.retain(may_act);
    for membership in user.managed_partners.iter().filter(|membership| !may_act(membership)) {
        // One that may not act may be brought back, but not by those whom it would not let act then.
        if is_locked(membership.partner) {
            changed.locked_partners.push(membership.partner);
        }
        if let Some(inactive) = inactivity(membership.partner, view) {
            changed.inactive_partners.push((*membership, inactive));
        }
    }
    Ok(admitted)
}

fn inactivity(partner: PartnerId, view: &View) -> Option<Inactivity> {
    view.partners.get(partner).and_then(Partner::inactivity)
}

/// A visitor is let in while the shop is open, and the token, if it came with one, was not taken back. The view has the
/// partner.
pub fn admit_visitor(visit: ShopVisit, view: &View) -> Result<(), Refusal> {
    if let Some(inactive) = inactivity(visit.shop, view) {
        return Err(CredentialFault::PartnerInactive(inactive).into());
    }
    let profile = view.partners.get(visit.shop).map(|partner| &partner.profile);
    if let Some(token) = visit.token {
        let is_good = profile.is_some_and(|profile| profile.widget_tokens.iter().any(|good| good.id == token));
        if !is_good {
            return Err(CredentialFault::UnknownKey.into());
        }
    }
    if profile.is_some_and(|profile| profile.shop.is_open) { Ok(()) } else { Err(ForbiddenReason::ShopClosed.into()) }
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

/// The platform is run by users whom the command line has made operators, and by the command line itself.
pub fn run_platform(actor: &Actor) -> Result<(), Refusal> {
    if actor.user().is_some_and(|user| user.is_operator) { Ok(()) } else { require_operator(actor) }
}

/// Only the command line beside the data.
pub fn require_operator(actor: &Actor) -> Result<(), Refusal> {
    if matches!(actor, Actor::Operator) { Ok(()) } else { Err(ForbiddenReason::OperatorOnly.into()) }
}
