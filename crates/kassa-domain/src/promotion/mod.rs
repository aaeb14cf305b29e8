//! Promotions: discounts of an event that grow by steps, without a code, as long as they run. What an
//! order does with them is in [`crate::order`].

mod create;
mod discount;
mod remove;
mod update;

pub use create::CreatePromotion;
pub use discount::{
    DiscountKind, DiscountLevel, LevelDiscount, LevelMeasure, LevelsRefusal, RequestedLevel, RequestedLevelValue,
};
pub use remove::RemovePromotion;
pub use update::UpdatePromotion;

use crate::event::EventId;
use crate::id::Id;
use crate::promocode::LifetimePatch;
use crate::refusal::Refusal;
use crate::time::{Timestamp, Window};
use crate::view::{Row, View};

/// The id of a promotion.
pub type PromotionId = Id<Promotion>;

/// The most promotions of one event that are not removed: its orders look at all of them.
pub const PROMOTIONS_MAX: u32 = 100;

/// A promotion. Orders keep what they were promised, whatever becomes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Promotion {
    /// The id.
    pub id: PromotionId,
    /// Its event.
    pub event: EventId,
    /// When orders are promised it.
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
    pub revision: i64,
}

impl Promotion {
    /// Whether orders are promised it at `now`.
    pub fn is_running(&self, now: Timestamp) -> bool {
        !self.removed && self.lifetime.contains(now)
    }

    /// Whether both would run at one time for one set. One that lasts for no time never runs.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        let lasts = |promotion: &Self| !promotion.removed && !promotion.lifetime.has_ended_at(promotion.lifetime.start);
        let apart = self.id == other.id || !lasts(self) || !lasts(other);
        !apart && self.lifetime.overlaps(&other.lifetime) && self.discount.overlaps_sets(&other.discount)
    }

    /// Refuses what would run beside another one of the event. All of them are in the view.
    fn check_no_overlap(&self, view: &View) -> Result<(), Refusal> {
        let collides = view.promotions_of(self.event).any(|other| self.overlaps(other));
        if collides { Err(Refusal::PromotionOverlap) } else { Ok(()) }
    }
}

/// Changes of promotions meet each other at the event's sets. Where it has none yet, they meet at its row:
/// two nodes could else make promotions that run beside each other, as neither sees the other's.
fn serialize_on_event(event: EventId, view: &mut View) {
    let has_sets = view.sets.rows().any(|set| set.event == event);
    if let Some(event) = view.events.get(event).filter(|_| !has_sets).cloned() {
        view.events.put(event);
    }
}

/// The lifetime that a patch makes of another, in whole seconds. One without a start begins when the
/// promotion was made, and one without an end runs until somebody ends it.
fn resolve_lifetime(patch: LifetimePatch, lifetime: Option<Window>, made_at: Timestamp) -> Window {
    let always = Window { start: made_at.whole_second(), finish: None };
    patch.apply_to(lifetime, made_at).unwrap_or(always)
}

impl Row for Promotion {
    type Key = PromotionId;

    fn key(&self) -> PromotionId {
        self.id
    }
}
