//! Accounts: who registers, and who changes and answers what is theirs.

use crate::context::RegistrationPolicy;
use crate::context::actor::Actor;
use crate::model::invitation::{Invitation, InvitationKey};
use crate::model::user::User;
use crate::refusal::{ForbiddenReason, Refusal};
use crate::values::email::Email;
use crate::values::resource_ids::UserId;
use crate::values::time::Timestamp;
use crate::view::View;

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
