//! A new deal.

use super::{Deal, DealStatus, WantedTerms};
use crate::command::Command;
use crate::context::Context;
use crate::event::EventId;
use crate::id::Tag;
use crate::partner::PartnerId;
use crate::permission;
use crate::refusal::Refusal;
use crate::view::{Needs, View};

/// Makes a deal. The organizer's is accepted at once; an agent's is a proposal, unless it gives the
/// organizer no less than its standard terms.
#[derive(Debug)]
pub struct CreateDeal {
    /// For which event.
    pub event: EventId,
    /// Who makes it: the partner that acts.
    pub by: PartnerId,
    /// The agent; an agent that makes it need not say.
    pub subj: Option<PartnerId>,
    /// The organizer, as it was looked up: an event never changes it.
    pub obj: PartnerId,
    /// Who shall get how much.
    pub terms: WantedTerms,
    /// A word to the other side.
    pub message: String,
}

impl Command for CreateDeal {
    type Outcome = Deal;

    fn shard(&self) -> Tag {
        self.event.tag()
    }

    fn needs(&self, needs: &mut Needs) {
        needs.events.push(self.event);
        // A deal switches selling on: it meets orders at the event's sets.
        needs.sets_of.push(self.event);
        needs.partners.extend(self.subj);
        needs.partners.push(self.obj);
        needs.deals_of.push((self.event, self.by));
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Deal, Refusal> {
        permission::act_for(cx.actor, self.by)?;
        let event = view.events.get(self.event).filter(|event| permission::sees_event(cx.actor, event, view));
        let event = event.ok_or_else(|| Refusal::EventUnknown(self.event.to_string()))?;
        let by_organizer = event.org == self.by;
        let subj = match self.subj {
            Some(subj) if by_organizer || subj == self.by => subj,
            Some(_) => return Err(Refusal::Forbidden),
            None if by_organizer => return Err(Refusal::AgentRequired),
            None => self.by,
        };
        if subj == event.org {
            return Err(Refusal::DealWithOneself);
        }
        if view.partners.get(subj).is_none_or(|partner| partner.removed) && self.subj.is_some() {
            return Err(Refusal::PartnerUnknown(subj.to_string()));
        }
        if event.is_over(cx.now) {
            return Err(Refusal::NothingToSell);
        }
        let standard = view.partners.get(event.org).and_then(|org| org.about.standard_term);
        let as_usual = standard.is_some_and(|standard| self.terms.as_good_as(&standard.org));
        let accepted = by_organizer || as_usual;
        let deal = Deal {
            id: cx.id_under(event.id.tag()),
            event: event.id,
            subj,
            obj: event.org,
            status: if accepted { DealStatus::Accepted } else { DealStatus::New },
            reversed: !by_organizer,
            message: self.message.clone(),
            terms: self.terms.with_commission(cx.settings.commission)?,
            created_at: cx.now,
            updated_at: cx.now,
            revision: 1,
        };
        view.deals.put(deal.clone());
        Ok(deal)
    }
}
