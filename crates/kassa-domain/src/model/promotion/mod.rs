//! Promotions: discounts of an event that grow by steps, without a code, as long as they run. What an
//! order does with them is in [`crate::order`].

mod discount;

pub use discount::{DiscountKind, DiscountLevel, LevelDiscount, LevelMeasure};

use crate::model::row::Row;
use crate::values::resource_ids::{EventId, PromotionId};
use crate::values::revision::Revision;
use crate::values::time::{Timestamp, Window};

/// The most promotions of one event that are not removed: its orders look at all of them.
pub const PROMOTIONS_MAX: u32 = 100;

/// A promotion. Orders keep what was granted to them, whatever becomes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Promotion {
    /// The id.
    pub id: PromotionId,
    /// Its event.
    pub event: EventId,
    /// When it is granted to orders.
    pub lifetime: Window,
    /// What it takes off, and of which tickets.
    pub discount: LevelDiscount,
    /// Whether it was deleted.
    pub removed: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last edited.
    pub updated_at: Timestamp,
    /// Counts edits.
    pub revision: Revision,
}

impl Promotion {
    /// Whether it is granted to orders at `now`.
    pub fn is_running(&self, now: Timestamp) -> bool {
        !self.removed && self.lifetime.contains(now)
    }

    /// Whether both would run at one time for one set. One that lasts for no time never runs.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        let lasts = |promotion: &Self| !promotion.removed && !promotion.lifetime.has_ended_at(promotion.lifetime.start);
        let apart = self.id == other.id || !lasts(self) || !lasts(other);
        !apart && self.lifetime.overlaps(&other.lifetime) && self.discount.overlaps_sets(&other.discount)
    }
}

impl Row for Promotion {
    type Key = PromotionId;

    fn key(&self) -> PromotionId {
        self.id
    }

    fn moments(&self, note: &mut dyn FnMut(Timestamp)) {
        self.lifetime.moments(note);
    }
}
