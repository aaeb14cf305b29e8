//! Promocodes and promotions.

use kassa_domain::event::Event;
use kassa_domain::price::Share;
use kassa_domain::promocode::{CreatePromocode, LifetimePatch, PromocodeText, TicketCountLimits, UpdatePromocode};
use kassa_domain::promotion::{
    CreatePromotion, DiscountKind, LevelMeasure, RemovePromotion, RequestedLevel, RequestedLevelValue, UpdatePromotion,
};
use kassa_domain::{Actor, Money, Patch, Percent};
use kassa_engine::Clock;

use super::{ActionRunner, MINUTE_MS};
use crate::play::action_result::{ActionReport, ActionResult};
use crate::play::actions::{PromocodeAction, PromotionAction};

impl ActionRunner<'_> {
    pub(super) async fn promocode(&self, act: &PromocodeAction) -> ActionResult {
        match act {
            PromocodeAction::Create { event, code, set, percent, min, amount } => {
                let Some(&Event { id: event, organizer: org, .. }) = self.known.event(*event) else {
                    return Ok(ActionReport::Nothing);
                };
                let discount = Share::Percent(Percent::from_percent(*percent));
                let command = CreatePromocode {
                    sets: self.known.set_list(event, *set),
                    ticket_count_limits: TicketCountLimits { min: Some(*min), max: None },
                    uses_limit: *amount,
                    ..CreatePromocode::unlimited(event, code_named(*code), discount)
                };
                self.execute(Actor::Partner(org), command).await
            }
            PromocodeAction::Update { promocode, amount, minutes } => {
                let Some(promocode) = self.known.promocode(*promocode) else { return Ok(ActionReport::Nothing) };
                let command = UpdatePromocode {
                    uses_limit: amount.map_or(Patch::Clear, Patch::Set),
                    lifetime: Patch::Set(self.until(*minutes)),
                    ..UpdatePromocode::unchanged(promocode.event, promocode.id)
                };
                self.execute(self.known.organizer(promocode.event), command).await
            }
        }
    }

    /// A lifetime that ends in so many minutes.
    fn until(&self, minutes: i64) -> LifetimePatch {
        let finish = self.server.clock.now().plus_ms(minutes * MINUTE_MS);
        LifetimePatch { start: Patch::Keep, finish: Patch::Set(finish) }
    }

    pub(super) async fn promotion(&self, act: &PromotionAction) -> ActionResult {
        match act {
            PromotionAction::Create { event, set, by_sum, minutes, levels } => {
                let Some(&Event { id: event, organizer: org, .. }) = self.known.event(*event) else {
                    return Ok(ActionReport::Nothing);
                };
                let command = CreatePromotion {
                    event,
                    lifetime: self.until(*minutes),
                    sets: self.known.set_list(event, *set),
                    measure: if *by_sum { LevelMeasure::Sum } else { LevelMeasure::Count },
                    kind: DiscountKind::Percentage,
                    levels: levels_of(levels),
                };
                self.execute(Actor::Partner(org), command).await
            }
            PromotionAction::Update { promotion, minutes, levels } => {
                let Some(promotion) = self.known.promotion(*promotion) else { return Ok(ActionReport::Nothing) };
                let command = UpdatePromotion {
                    lifetime: self.until(*minutes),
                    levels: levels.as_deref().map(levels_of),
                    ..UpdatePromotion::unchanged(promotion.event, promotion.id)
                };
                self.execute(self.known.organizer(promotion.event), command).await
            }
            PromotionAction::Remove { promotion } => {
                let Some(promotion) = self.known.promotion(*promotion) else { return Ok(ActionReport::Nothing) };
                let command = RemovePromotion { event: promotion.event, promotion: promotion.id };
                self.execute(self.known.organizer(promotion.event), command).await
            }
        }
    }
}

/// The nth code.
#[expect(clippy::expect_used, reason = "this is a code")]
pub(super) fn code_named(at: usize) -> PromocodeText {
    format!("code {at}").parse().expect("a code")
}

/// From how many tickets or hundred cents on, and how many percent.
fn levels_of(levels: &[(u32, u32)]) -> Vec<RequestedLevel> {
    let level = |&(from, percent): &(u32, u32)| RequestedLevel {
        from: Money::from_minor(i64::from(from) * 100),
        value: RequestedLevelValue { percent: Some(Percent::from_percent(i64::from(percent))), amount: None },
    };
    levels.iter().map(level).collect()
}
