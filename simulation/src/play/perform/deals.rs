//! Deals with agents.

use kassa_domain::deal::{CreateDeal, EffectiveDealStatus, ProposedTerms, UpdateDeal};
use kassa_domain::event::Event;
use kassa_domain::price::Share;
use kassa_domain::{Actor, Percent};

use super::ActionRunner;
use crate::play::action_result::{ActionReport, ActionResult};
use crate::play::actions::DealAction;

impl ActionRunner<'_> {
    pub(super) async fn deal(&self, act: &DealAction) -> ActionResult {
        match act {
            DealAction::Create { event, agent, offered, org: part, extra, pfc } => {
                let (event, agent) = (self.known.event(*event), self.known.partner(*agent));
                let (Some(&Event { id: event, organizer: org, .. }), Some(agent)) = (event, agent) else {
                    return Ok(ActionReport::Nothing);
                };
                let percent = |percent: i64| Share::Percent(Percent::from_percent(percent));
                let command = CreateDeal {
                    event,
                    proposer: if *offered { org } else { agent },
                    agent: Some(agent),
                    organizer: org,
                    terms: ProposedTerms {
                        organizer_share: percent(*part),
                        markup: percent(*extra),
                        platform_fee_on_top: *pfc,
                    },
                    message: String::new(),
                };
                self.execute(Actor::Partner(command.proposer), command).await
            }
            DealAction::Decide { deal, by_agent, status } => {
                let Some(deal) = self.known.deal(*deal) else { return Ok(ActionReport::Nothing) };
                let status = Some(EffectiveDealStatus::Stored(*status));
                let command = UpdateDeal { deal: deal.id, event: deal.event, status };
                let by = if *by_agent { deal.agent } else { deal.organizer };
                self.execute(Actor::Partner(by), command).await
            }
        }
    }
}
