//! A new deal.

use super::ProposedTerms;
use crate::commands::usage::charge;
use crate::context::Context;
use crate::context::command::{Command, LIGHT_WEIGHT, rows_of_text};
use crate::model::change::{ChangeType, FactName, Facts};
use crate::model::deal::{Deal, DealStatus};
use crate::model::event::Event;
use crate::model::quota::QuotaKind;
use crate::model::role::Capability;
use crate::permission;
use crate::refusal::{ForbiddenReason, Refusal};
use crate::values::id::ShardTag;
use crate::values::price::Terms;
use crate::values::resource_ids::{EventId, PartnerId};
use crate::values::revision::Revision;
use crate::view::{PROPOSALS_MAX, ReadSet, View};

/// Makes a deal. The organizer's is accepted at once. An agent's is a proposal, unless it is no worse for the organizer
/// than its standard terms (decisions §6); once the organizer has ended a deal with that agent, it always is. Only some
/// proposals of an agent for an event wait for an answer at a time.
#[derive(Debug)]
pub struct CreateDeal {
    /// For which event.
    pub event: EventId,
    /// Who makes it: the partner that acts.
    pub proposer: PartnerId,
    /// The agent; an agent that makes it need not say.
    pub agent: Option<PartnerId>,
    /// The organizer, as it was looked up: an event never changes it.
    pub organizer: PartnerId,
    /// Who shall get how much.
    pub terms: ProposedTerms,
    /// A word to the other side.
    pub message: String,
}

impl Command for CreateDeal {
    type Outcome = Deal;

    fn shard(&self) -> ShardTag {
        self.event.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.events.push(self.event);
        read_set.organizers_of.push(self.event);
        // A deal switches selling on: it meets orders at the event's sets.
        read_set.sets_of.push(self.event);
        read_set.partners.extend(self.agent);
        read_set.partners.extend([self.organizer, self.proposer]);
        read_set.deals_of.push((self.event, self.proposer));
        if self.proposer != self.organizer {
            read_set.deals_ended_by_organizer.push((self.proposer, self.organizer));
            read_set.proposals_of.push((self.event, self.proposer));
        }
    }

    fn weight(&self) -> u32 {
        LIGHT_WEIGHT + PROPOSALS_MAX + rows_of_text(self.message.len())
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Deal, Refusal> {
        permission::act_for(cx.actor, Capability::Organize, self.proposer)?;
        let event = view.events.get(self.event).filter(|event| permission::sees_event(cx.actor, event, view));
        let event = event.ok_or_else(|| Refusal::EventUnknown(self.event.to_string()))?;
        let by_organizer = event.organizer == self.proposer;
        let subj = match self.agent {
            Some(subj) if by_organizer || subj == self.proposer => subj,
            Some(_) => return Err(ForbiddenReason::DealForAnother.into()),
            None if by_organizer => return Err(Refusal::AgentRequired),
            None => self.proposer,
        };
        if subj == event.organizer {
            return Err(Refusal::OwnEventNeedsNoDeal);
        }
        if view.partners.get(subj).is_none_or(|partner| partner.removed) && self.agent.is_some() {
            return Err(Refusal::PartnerUnknown(subj.to_string()));
        }
        if event.is_over(cx.now) {
            return Err(Refusal::NothingToSell);
        }
        let terms = self.terms.with_commission(cx.settings.commission)?;
        let accepted = by_organizer || is_accepted_at_once(event, subj, &terms, view);
        if !accepted && view.pending_proposals(event.id, subj) >= PROPOSALS_MAX as usize {
            let what = "proposals for one event that wait for an answer";
            return Err(Refusal::TooMany { what, max: PROPOSALS_MAX });
        }
        let mut deal = Deal {
            id: cx.id_with_tag(event.id.tag()),
            event: event.id,
            agent: subj,
            organizer: event.organizer,
            status: if accepted { DealStatus::Accepted } else { DealStatus::New },
            proposed_by_agent: !by_organizer,
            ended_by_organizer: false,
            message: self.message.clone(),
            terms,
            created_at: cx.now,
            updated_at: cx.now,
            revision: Revision::default(),
        };
        charge(self.proposer, QuotaKind::Deals, 1, &cx.settings.quotas, view)?;
        let kind = if accepted { ChangeType::DealAccepted } else { ChangeType::DealProposed };
        let facts = Facts::none()
            .with(FactName::Status, deal.status)
            .with(FactName::Agent, deal.agent)
            .with(FactName::Organizer, deal.organizer);
        cx.state(&mut deal, kind, facts, view);
        view.deals.put(deal.clone());
        Ok(deal)
    }
}

/// Whether the organizer accepts an agent's proposal without looking at it.
fn is_accepted_at_once(event: &Event, agent: PartnerId, terms: &Terms, view: &View) -> bool {
    let standard = view.partners.get(event.organizer).and_then(|organizer| organizer.profile.standard_terms);
    let sets = view.sets_of(event.id).into_iter().filter(|set| !set.removed);
    let prices = sets.flat_map(|set| &set.rules).map(|rule| rule.price);
    // What the organizer has made itself is not replaced by an agent.
    let has_own = view.newest_deal_of(event.id, &[agent]).is_some_and(|deal| !deal.proposed_by_agent);
    standard.is_some_and(|standard| standard.accepts(terms, prices))
        && !has_own
        && !view.has_ended_deal_with(event.organizer, agent)
}
