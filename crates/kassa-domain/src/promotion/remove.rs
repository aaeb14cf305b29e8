//! The end of a promotion.

use super::PromotionId;
use super::update::own_promotion;
use crate::command::Command;
use crate::context::Context;
use crate::event::EventId;
use crate::id::Tag;
use crate::refusal::Refusal;
use crate::view::{Needs, View};

/// Removes a promotion. Orders that were promised it keep their prices. Removing it again changes nothing.
#[derive(Debug)]
pub struct RemovePromotion {
    /// Of which event it must be.
    pub event: EventId,
    /// Which.
    pub promotion: PromotionId,
}

impl Command for RemovePromotion {
    type Outcome = ();

    fn shard(&self) -> Tag {
        self.event.tag()
    }

    fn needs(&self, needs: &mut Needs) {
        needs.events.push(self.event);
        // It switches prices: it meets orders at the event's sets.
        needs.sets_of.push(self.event);
        needs.promotions.push(self.promotion);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<(), Refusal> {
        let mut promotion = own_promotion(cx, view, self.event, self.promotion)?;
        if !promotion.removed {
            promotion.removed = true;
            promotion.updated_at = cx.now;
            promotion.revision += 1;
            view.promotions.put(promotion);
        }
        Ok(())
    }
}
