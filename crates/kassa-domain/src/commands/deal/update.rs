//! The life of a deal.

use crate::context::Context;
use crate::context::command::Command;
use crate::model::change::{ChangeType, FactName, Facts};
use crate::model::deal::{Deal, DealStatus, EffectiveDealStatus};
use crate::permission;
use crate::refusal::{ForbiddenReason, Refusal};
use crate::values::id::ShardTag;
use crate::values::resource_ids::{DealId, EventId};
use crate::view::{ReadSet, View};

/// Changes the status of a deal. A newer deal takes over by itself; orders keep the one they used.
#[derive(Debug)]
pub struct UpdateDeal {
    /// Which.
    pub deal: DealId,
    /// Its event, which never changes.
    pub event: EventId,
    /// Its new status.
    pub status: Option<EffectiveDealStatus>,
}

impl Command for UpdateDeal {
    type Outcome = Deal;

    fn shard(&self) -> ShardTag {
        self.event.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        // A deal switches selling: it meets orders at the event's sets.
        read_set.sets_of.push(self.event);
        read_set.deals.push(self.deal);
        read_set.events.push(self.event);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Deal, Refusal> {
        let mut deal = view.deals.get(self.deal).ok_or(Refusal::NotFound("deal"))?.clone();
        permission::write_deal(cx.actor, &deal)?;
        let event = view.events.get(deal.event).ok_or(Refusal::NotFound("event"))?;
        let is_finished = deal.effective_status(event, cx.now) == EffectiveDealStatus::Finished;
        let to = match self.status {
            // What it is already needs no step.
            None => return Ok(deal),
            Some(EffectiveDealStatus::Stored(to)) if to == deal.status => return Ok(deal),
            Some(EffectiveDealStatus::Finished) if is_finished => return Ok(deal),
            Some(EffectiveDealStatus::Finished) => return Err(Refusal::DealNotFinished),
            Some(EffectiveDealStatus::Stored(to)) => to,
        };
        let (agent, organizer) =
            (permission::answers_for(cx.actor, deal.agent), permission::answers_for(cx.actor, deal.organizer));
        let may = match (deal.status, to) {
            (DealStatus::New, DealStatus::Accepted | DealStatus::Declined) => organizer,
            (DealStatus::New, DealStatus::Revoked) => agent,
            (DealStatus::Accepted, DealStatus::Terminated) if !is_finished => agent || organizer,
            (
                DealStatus::New
                | DealStatus::Accepted
                | DealStatus::Declined
                | DealStatus::Revoked
                | DealStatus::Terminated,
                _,
            ) => return Err(Refusal::DealTransition { from: deal.status, to }),
        };
        if !may {
            let only = if to == DealStatus::Revoked {
                ForbiddenReason::DealAgentOnly
            } else {
                ForbiddenReason::DealOrganizerOnly
            };
            return Err(only.into());
        }
        if to == DealStatus::Accepted && event.is_over(cx.now) {
            return Err(Refusal::NothingToSell);
        }
        deal.ended_by_organizer = organizer && matches!(to, DealStatus::Declined | DealStatus::Terminated);
        let facts = Facts::none().step(FactName::Status, deal.status, to);
        deal.status = to;
        cx.state(&mut deal, step_type(to), facts, view);
        view.deals.put(deal.clone());
        Ok(deal)
    }
}

/// What a step to a status is stated as.
fn step_type(to: DealStatus) -> ChangeType {
    match to {
        DealStatus::New => ChangeType::DealProposed,
        DealStatus::Accepted => ChangeType::DealAccepted,
        DealStatus::Declined => ChangeType::DealDeclined,
        DealStatus::Revoked => ChangeType::DealRevoked,
        DealStatus::Terminated => ChangeType::DealTerminated,
    }
}
