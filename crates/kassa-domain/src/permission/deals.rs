//! Deals.

use super::roles::decided_by_role;
use crate::context::actor::Actor;
use crate::model::deal::Deal;
use crate::model::role::Capability;
use crate::refusal::Refusal;
use crate::values::resource_ids::PartnerId;

/// Whether the actor is a side of a deal: nobody else sees it.
pub fn sees_deal(actor: &Actor, deal: &Deal) -> bool {
    actor.acts_for(deal.agent) || actor.acts_for(deal.organizer)
}

/// Whether the actor speaks for one of the sides of a deal.
pub fn answers_for(actor: &Actor, side: PartnerId) -> bool {
    actor.role_for(side).is_some_and(|role| role.may(Capability::Organize))
}

/// A deal is changed by its sides; which of them may do what depends on where it stands.
pub fn write_deal(actor: &Actor, deal: &Deal) -> Result<(), Refusal> {
    actor.require_credential()?;
    if let Some(decided) = decided_by_role(actor, Capability::Organize, &[deal.agent, deal.organizer]) {
        return decided;
    }
    actor.require_second_factor_for(deal.agent)?;
    actor.require_second_factor_for(deal.organizer)?;
    Err(Refusal::NotFound("deal"))
}
