//! The end of a promotion.

use super::shared::promotion_for_write;
use crate::context::Context;
use crate::context::command::Command;
use crate::model::change::{ChangeType, FactName, Facts};
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::{EventId, PromotionId};
use crate::view::{ReadSet, View};

/// Removes a promotion. Orders that were granted it keep their prices. Removing it again changes nothing.
#[derive(Debug)]
pub struct RemovePromotion {
    /// Of which event it must be.
    pub event: EventId,
    /// Which.
    pub promotion: PromotionId,
}

impl Command for RemovePromotion {
    type Outcome = ();

    fn shard(&self) -> ShardTag {
        self.event.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.events.push(self.event);
        // It switches prices: it meets orders at the event's sets.
        read_set.sets_of.push(self.event);
        read_set.promotions.push(self.promotion);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<(), Refusal> {
        let mut promotion = promotion_for_write(cx, view, self.event, self.promotion)?;
        if !promotion.removed {
            promotion.removed = true;
            let facts = Facts::none().step(FactName::Removed, false, true);
            cx.state(&mut promotion, ChangeType::PromotionRemoved, facts, view);
            view.promotions.put(promotion);
        }
        Ok(())
    }
}
