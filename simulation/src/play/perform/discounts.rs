//! Promocodes and promotions.

use kassa_domain::event::Event;
use kassa_domain::price::Share;
use kassa_domain::promocode::{Code, CreatePromocode, LifetimePatch, TicketsCount, UpdatePromocode};
use kassa_domain::promotion::{
    CreatePromotion, Kind, Measure, RemovePromotion, UpdatePromotion, WantedLevel, WantedValue,
};
use kassa_domain::{Actor, Money, Patch, Percent};
use kassa_engine::Clock;

use super::{MINUTE_MS, Player};
use crate::play::acts::{PromocodeAct, PromotionAct};
use crate::play::answer::{Answer, Report};

impl Player<'_> {
    pub(super) async fn promocode(&self, act: &PromocodeAct) -> Answer {
        match act {
            PromocodeAct::Create { event, code, set, percent, min, amount } => {
                let Some(&Event { id: event, org, .. }) = self.known.event(*event) else { return Ok(Report::Nothing) };
                let discount = Share::Percent(Percent::whole(*percent));
                let command = CreatePromocode {
                    sets: self.known.one_set(event, *set),
                    tickets_count: TicketsCount { min: Some(*min), max: None },
                    amount: *amount,
                    ..CreatePromocode::unlimited(event, code_named(*code), discount)
                };
                self.give(Actor::Partner(org), command).await
            }
            PromocodeAct::Amend { promocode, amount, minutes } => {
                let Some(promocode) = self.known.promocode(*promocode) else { return Ok(Report::Nothing) };
                let command = UpdatePromocode {
                    amount: amount.map_or(Patch::Clear, Patch::Set),
                    lifetime: Patch::Set(self.until(*minutes)),
                    ..UpdatePromocode::keeping(promocode.event, promocode.id)
                };
                self.give(self.known.organizer(promocode.event), command).await
            }
        }
    }

    /// A lifetime that ends in so many minutes.
    fn until(&self, minutes: i64) -> LifetimePatch {
        let finish = self.server.clock.now().plus_ms(minutes * MINUTE_MS);
        LifetimePatch { start: Patch::Keep, finish: Patch::Set(finish) }
    }

    pub(super) async fn promotion(&self, act: &PromotionAct) -> Answer {
        match act {
            PromotionAct::Create { event, set, by_sum, minutes, levels } => {
                let Some(&Event { id: event, org, .. }) = self.known.event(*event) else { return Ok(Report::Nothing) };
                let command = CreatePromotion {
                    event,
                    lifetime: self.until(*minutes),
                    sets: self.known.one_set(event, *set),
                    by: if *by_sum { Measure::Sum } else { Measure::Count },
                    kind: Kind::Percentage,
                    levels: wanted(levels),
                };
                self.give(Actor::Partner(org), command).await
            }
            PromotionAct::Amend { promotion, minutes, levels } => {
                let Some(promotion) = self.known.promotion(*promotion) else { return Ok(Report::Nothing) };
                let command = UpdatePromotion {
                    lifetime: self.until(*minutes),
                    levels: levels.as_deref().map(wanted),
                    ..UpdatePromotion::keeping(promotion.event, promotion.id)
                };
                self.give(self.known.organizer(promotion.event), command).await
            }
            PromotionAct::Remove { promotion } => {
                let Some(promotion) = self.known.promotion(*promotion) else { return Ok(Report::Nothing) };
                let command = RemovePromotion { event: promotion.event, promotion: promotion.id };
                self.give(self.known.organizer(promotion.event), command).await
            }
        }
    }
}

/// The nth code.
#[expect(clippy::expect_used, reason = "this is a code")]
pub(super) fn code_named(at: usize) -> Code {
    format!("code {at}").parse().expect("a code")
}

/// From how many tickets or hundred cents on, and how many percent.
fn wanted(levels: &[(u32, u32)]) -> Vec<WantedLevel> {
    let level = |&(from, percent): &(u32, u32)| WantedLevel {
        from: Money::from_minor(i64::from(from) * 100),
        value: WantedValue { percent: Some(Percent::whole(i64::from(percent))), amount: None },
    };
    levels.iter().map(level).collect()
}
