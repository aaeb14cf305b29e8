//! Deals with agents.

use kassa_domain::deal::{CreateDeal, UpdateDeal, WantedTerms};
use kassa_domain::event::Event;
use kassa_domain::price::Share;
use kassa_domain::{Actor, Percent};

use super::Player;
use crate::play::acts::DealAct;
use crate::play::answer::{Answer, Report};

impl Player<'_> {
    pub(super) async fn deal(&self, act: &DealAct) -> Answer {
        match act {
            DealAct::Make { event, agent, offered, org: part, extra, pfc } => {
                let (event, agent) = (self.known.event(*event), self.known.partner(*agent));
                let (Some(&Event { id: event, org, .. }), Some(agent)) = (event, agent) else {
                    return Ok(Report::Nothing);
                };
                let percent = |percent: i64| Share::Percent(Percent::whole(percent));
                let command = CreateDeal {
                    event,
                    by: if *offered { org } else { agent },
                    subj: Some(agent),
                    obj: org,
                    terms: WantedTerms { org: percent(*part), extra: percent(*extra), pfc: *pfc },
                    message: String::new(),
                };
                self.give(Actor::Partner(command.by), command).await
            }
            DealAct::Decide { deal, by_agent, status } => {
                let Some(deal) = self.known.deal(*deal) else { return Ok(Report::Nothing) };
                let command = UpdateDeal { deal: deal.id, event: deal.event, status: Some(*status) };
                let by = if *by_agent { deal.subj } else { deal.obj };
                self.give(Actor::Partner(by), command).await
            }
        }
    }
}
