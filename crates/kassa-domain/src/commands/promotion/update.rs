//! Changes to a promotion.

use super::RequestedLevel;
use super::levels::parse_levels;
use super::shared::{promotion_for_write, resolve_lifetime, serialize_on_event};
use crate::commands::set::resolve_sets;
use crate::context::Context;
use crate::context::command::Command;
use crate::model::change::{ChangeType, FactName, Facts};
use crate::model::promotion::{DiscountKind, DiscountLevel, LevelMeasure, Promotion};
use crate::refusal::{LevelsRefusal, Refusal};
use crate::values::id::ShardTag;
use crate::values::lifetime_patch::LifetimePatch;
use crate::values::resource_ids::{EventId, PromotionId, SetId};
use crate::view::{ReadSet, View};

/// Changes a promotion. Orders that were granted it before keep what they were granted.
#[derive(Debug)]
pub struct UpdatePromotion {
    /// Of which event it must be.
    pub event: EventId,
    /// Which.
    pub promotion: PromotionId,
    /// When it runs.
    pub lifetime: LifetimePatch,
    /// All the sets whose tickets it makes cheaper; none means all.
    pub sets: Option<Vec<SetId>>,
    /// By what an order reaches a level. Another measure needs new levels.
    pub measure: Option<LevelMeasure>,
    /// What the values of its levels are. Another kind needs new levels.
    pub kind: Option<DiscountKind>,
    /// All its levels, from the lowest on.
    pub levels: Option<Vec<RequestedLevel>>,
}

impl Command for UpdatePromotion {
    type Outcome = Promotion;

    fn shard(&self) -> ShardTag {
        self.event.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.events.push(self.event);
        // It switches prices: see the making of one.
        read_set.sets_of.push(self.event);
        read_set.promotions.push(self.promotion);
        read_set.promotions_of.push(self.event);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Promotion, Refusal> {
        let mut promotion = promotion_for_write(cx, view, self.event, self.promotion)?;
        if promotion.removed {
            return Err(Refusal::NotFound("promotion"));
        }
        let was = promotion.clone();
        promotion.lifetime = resolve_lifetime(self.lifetime.clone(), Some(promotion.lifetime), promotion.created_at);
        if let Some(sets) = &self.sets {
            promotion.discount.sets = resolve_sets(self.event, sets, view)?;
        }
        promotion.discount.levels = self.levels(&promotion)?;
        promotion.discount.measure = self.measure.unwrap_or(promotion.discount.measure);
        if promotion == was {
            return Ok(promotion);
        }
        promotion.check_no_overlap(view)?;
        serialize_on_event(self.event, view);
        let facts = Facts::none()
            .window_step(Some(was.lifetime), Some(promotion.lifetime))
            .hidden_step(FactName::Sets, &was.discount.sets, &promotion.discount.sets)
            .hidden_step(FactName::Discount, &was.discount.levels, &promotion.discount.levels);
        cx.state(&mut promotion, ChangeType::PromotionChanged, facts, view);
        view.promotions.put(promotion.clone());
        Ok(promotion)
    }
}

impl UpdatePromotion {
    /// Everything stays as it is; other fields say what changes.
    #[cfg(feature = "test-support")]
    pub fn unchanged(event: EventId, promotion: PromotionId) -> Self {
        let lifetime = LifetimePatch::default();
        Self { event, promotion, lifetime, sets: None, measure: None, kind: None, levels: None }
    }

    fn levels(&self, promotion: &Promotion) -> Result<Vec<DiscountLevel>, LevelsRefusal> {
        let (was_by, was_kind) = (promotion.discount.measure, promotion.discount.kind());
        let (by, kind) = (self.measure.unwrap_or(was_by), self.kind.unwrap_or(was_kind));
        match &self.levels {
            Some(levels) => parse_levels(by, kind, levels),
            None if (by, kind) == (was_by, was_kind) => Ok(promotion.discount.levels.clone()),
            None => Err(LevelsRefusal::LevelsRequired),
        }
    }
}
