//! What all changes of promotions check and lock.

use crate::context::Context;
use crate::model::promotion::Promotion;
use crate::permission;
use crate::refusal::Refusal;
use crate::values::lifetime_patch::LifetimePatch;
use crate::values::resource_ids::{EventId, PromotionId};
use crate::values::time::{Timestamp, Window};
use crate::view::View;

impl Promotion {
    /// Refuses what would run beside another one of the event. All of them are in the view.
    pub(super) fn check_no_overlap(&self, view: &View) -> Result<(), Refusal> {
        let collides = view.promotions_of(self.event).any(|other| self.overlaps(other));
        if collides { Err(Refusal::PromotionOverlap) } else { Ok(()) }
    }
}

/// Changes of promotions meet each other at the event's sets. Where it has none yet, they meet at its row:
/// two nodes could else make promotions that run beside each other, as neither sees the other's.
pub(super) fn serialize_on_event(event: EventId, view: &mut View) {
    let has_sets = view.sets.rows().any(|set| set.event == event);
    if let Some(event) = view.events.get(event).filter(|_| !has_sets).cloned() {
        view.events.put(event);
    }
}

/// The lifetime that a patch makes of another, in whole seconds. One without a start begins when the
/// promotion was made, and one without an end runs until somebody ends it.
pub(super) fn resolve_lifetime(patch: LifetimePatch, lifetime: Option<Window>, made_at: Timestamp) -> Window {
    let always = Window { start: made_at.whole_second(), finish: None };
    patch.apply_to(lifetime, made_at).unwrap_or(always)
}

/// The promotion, if it is this event's and the caller's to change.
pub(super) fn promotion_for_write(
    cx: &Context<'_>,
    view: &View,
    event: EventId,
    promotion: PromotionId,
) -> Result<Promotion, Refusal> {
    let event = view.events.get(event).ok_or(Refusal::NotFound("event"))?;
    permission::manage_promotions(cx.actor, event)?;
    let promotion = view.promotions.get(promotion).filter(|promotion| promotion.event == event.id);
    promotion.cloned().ok_or(Refusal::NotFound("promotion"))
}
