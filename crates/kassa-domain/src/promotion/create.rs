//! A new promotion.

use super::discount::read_levels;
use super::{Discount, Kind, Measure, PROMOTIONS_MAX, Promotion, WantedLevel, lifetime_of, meet};
use crate::command::Command;
use crate::context::Context;
use crate::event::EventId;
use crate::id::Tag;
use crate::permission;
use crate::promocode::LifetimePatch;
use crate::refusal::Refusal;
use crate::set::{SetId, own_sets};
use crate::view::{Needs, View};

/// Makes a promotion.
#[derive(Debug)]
pub struct CreatePromotion {
    /// Of which event.
    pub event: EventId,
    /// When it runs: from now on, and until somebody ends it, where that says nothing.
    pub lifetime: LifetimePatch,
    /// The sets whose tickets it makes cheaper; all of them when none is named.
    pub sets: Vec<SetId>,
    /// By what an order reaches a level.
    pub by: Measure,
    /// What the values of its levels are.
    pub kind: Kind,
    /// From the lowest on.
    pub levels: Vec<WantedLevel>,
}

impl Command for CreatePromotion {
    type Outcome = Promotion;

    fn shard(&self) -> Tag {
        self.event.tag()
    }

    fn needs(&self, needs: &mut Needs) {
        needs.events.push(self.event);
        // A promotion switches prices: it meets orders at the event's sets.
        needs.sets_of.push(self.event);
        needs.promotions_of.push(self.event);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Promotion, Refusal> {
        let event = view.events.get(self.event).ok_or(Refusal::NotFound("event"))?;
        permission::make_promotion(cx.actor, event, view)?;
        let discount = Discount {
            sets: own_sets(event.id, &self.sets, view)?,
            by: self.by,
            levels: read_levels(self.by, self.kind, &self.levels)?,
        };
        if view.promotions_of(event.id).count() >= PROMOTIONS_MAX as usize {
            return Err(Refusal::TooMany(PROMOTIONS_MAX));
        }
        let promotion = Promotion {
            id: cx.id_under(event.id.tag()),
            event: event.id,
            lifetime: lifetime_of(self.lifetime.clone(), None, cx.now),
            discount,
            removed: false,
            created_at: cx.now,
            updated_at: cx.now,
            revision: 1,
        };
        promotion.check_alone(view)?;
        meet(promotion.event, view);
        view.promotions.put(promotion.clone());
        Ok(promotion)
    }
}
