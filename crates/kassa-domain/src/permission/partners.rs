//! Partners, their keys and webhooks: who acts for them, and how much others see of them.

use super::roles::decided_by_role;
use super::users::is_self;
use crate::context::actor::Actor;
use crate::model::partner::Partner;
use crate::model::role::Capability;
use crate::model::suspension::Inactivity;
use crate::model::user::User;
use crate::refusal::{ForbiddenReason, Refusal};
use crate::values::email::Email;
use crate::values::resource_ids::{PartnerId, UserId};
use crate::view::{ReadSet, View};

/// A partner puts on sale and sells in its own name, and those of its users do whose role has that.
pub fn act_for(actor: &Actor, needs: Capability, partner: PartnerId) -> Result<(), Refusal> {
    actor.require_credential()?;
    actor.require_second_factor_for(partner)?;
    decided_by_role(actor, needs, &[partner]).unwrap_or_else(|| Err(ForbiddenReason::OwnPartnerOnly.into()))
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
/// which is what a change that `restores` does first, unless it is suspended. What gives access to it is for those to
/// change who [`administer_partner`].
pub fn write_partner(actor: &Actor, partner: &Partner, restores: bool) -> Result<(), Refusal> {
    actor.require_credential()?;
    actor.require_second_factor_for(partner.id)?;
    match actor.inactivity_of(partner.id) {
        Some(Inactivity::Removed) if restores => return administer_partner(actor, partner.id),
        Some(inactive) => return Err(Refusal::PartnerInactive(inactive)),
        None => {}
    }
    match decided_by_role(actor, Capability::Organize, &[partner.id]) {
        Some(decided) => decided,
        None if partner.removed => Err(Refusal::NotFound("partner")),
        None => Err(ForbiddenReason::PartnerOnly.into()),
    }
}

/// Who manages a partner, whom it asks for a second factor, and whether it is there at all, its owners say; also while it
/// may not act.
pub fn administer_partner(actor: &Actor, partner: PartnerId) -> Result<(), Refusal> {
    if let Some((role, _)) = actor.inactive_membership(partner) {
        let needs = Capability::Administer;
        return if role.may(needs) { Ok(()) } else { Err(ForbiddenReason::RoleLacks { role, needs }.into()) };
    }
    act_for(actor, Capability::Administer, partner)
}

/// The team of a partner is read by its users and keys; others do not learn of it.
pub fn read_team(actor: &Actor, partner: PartnerId) -> Result<(), Refusal> {
    actor.require_credential()?;
    actor.require_second_factor_for(partner)?;
    let is_own = actor.acts_for(partner) || actor.inactivity_of(partner).is_some();
    if is_own { Ok(()) } else { Err(Refusal::NotFound("partner")) }
}

/// The team of a partner is changed by its owners; everybody may leave it.
pub fn manage_team(actor: &Actor, partner: &Partner, leaves: Option<UserId>) -> Result<(), Refusal> {
    read_team(actor, partner.id)?;
    match actor.inactivity_of(partner.id) {
        Some(inactive) => Err(Refusal::PartnerInactive(inactive)),
        None if leaves.is_some_and(|user| is_self(actor, user)) => Ok(()),
        None => act_for(actor, Capability::Administer, partner.id),
    }
}

/// Whether a partner requires a second factor of its users is for those to say who have one, and for the operator.
pub fn change_second_factor_rule(actor: &Actor) -> Result<(), Refusal> {
    let may = matches!(actor, Actor::Operator) || actor.user().is_some_and(|user| user.has_second_factor);
    if may { Ok(()) } else { Err(ForbiddenReason::SecondFactorHoldersOnly.into()) }
}

/// Keys are read and written by the partner's owners and keys; others do not learn of them.
pub fn manage_keys(actor: &Actor, partner: PartnerId) -> Result<(), Refusal> {
    manage_unseen(actor, Capability::Administer, partner)
}

/// What was asked with a key is for those to read who manage keys.
pub fn read_key_requests(actor: &Actor, partner: PartnerId) -> Result<(), Refusal> {
    manage_keys(actor, partner)
}

/// Webhooks are read and written by the partner's owners and keys; others do not learn of them.
pub fn manage_webhooks(actor: &Actor, partner: PartnerId) -> Result<(), Refusal> {
    manage_keys(actor, partner)
}

/// Tokens of a shop, which are no secrets, are written by those who change the shop; others do not learn of them.
pub fn manage_widget_tokens(actor: &Actor, partner: PartnerId) -> Result<(), Refusal> {
    manage_unseen(actor, Capability::Organize, partner)
}

/// What others do not learn of.
fn manage_unseen(actor: &Actor, needs: Capability, partner: PartnerId) -> Result<(), Refusal> {
    actor.require_credential()?;
    actor.require_second_factor_for(partner)?;
    decided_by_role(actor, needs, &[partner]).unwrap_or(Err(Refusal::NotFound("partner")))
}

/// Lists of a partner's orders are mailed to those of its managers who may act and look after the money, at the e-mails
/// that they have proved to be their own.
pub fn receives_exports(user: &User, email: &Email, partner: PartnerId, view: &View) -> bool {
    let may_read = user.suspension.is_none() && user.email == *email && user.is_email_confirmed();
    let role = view.managers.get((partner, user.id)).map(|manager| manager.role);
    may_read && role.is_some_and(|role| role.may(Capability::HandleMoney))
}
