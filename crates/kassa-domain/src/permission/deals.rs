//! Deals.

use crate::context::actor::Actor;
use crate::model::deal::Deal;
use crate::refusal::Refusal;

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
