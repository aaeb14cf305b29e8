//! Changes to an event, its removal included.

use super::{Event, EventId, EventPatch, EventStatus};
use crate::command::Command;
use crate::context::Context;
use crate::id::Tag;
use crate::patch::Patch;
use crate::permission;
use crate::refund::refund_orders_of;
use crate::refusal::Refusal;
use crate::set::{Set, check_places};
use crate::time::Timestamp;
use crate::view::{Needs, View};

/// Changes an event. What switches its sales (status, lifetime, removal) locks its sets, which
/// orders lock too: no sale slips past the switch.
#[derive(Debug)]
pub struct UpdateEvent {
    /// Which.
    pub event: EventId,
    /// What changes.
    pub patch: EventPatch,
}

impl Command for UpdateEvent {
    /// The event, and its sets in the order in which they are shown.
    type Outcome = (Event, Vec<Set>);

    fn shard(&self) -> Tag {
        self.event.tag()
    }

    fn needs(&self, needs: &mut Needs) {
        needs.events.push(self.event);
        needs.sets_of.push(self.event);
        self.patch.needs(needs);
        if self.patch.venue.is_given() && !self.patch.map.is_given() {
            needs.map_of.push(self.event);
        }
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Self::Outcome, Refusal> {
        let mut event = view.events.get(self.event).ok_or(Refusal::NotFound("event"))?.clone();
        permission::write_event(cx.actor, &event, view)?;
        self.patch.check_venue(event.venue, view)?;
        let was = event.clone();
        event.apply(self.patch.clone(), self.patch.media.resolve(cx.actor, view)?);
        if was.status == EventStatus::Canceled && event.status != EventStatus::Canceled {
            return Err(Refusal::EventCanceled);
        }
        let sets: Vec<Set> = view.sets_of(self.event).into_iter().cloned().collect();
        if let Some(map) = event.check_map(Some(&was), view)? {
            check_places(sets.iter().filter(|set| !set.removed), map)?;
        }
        if event.removed && !was.removed && sets.iter().any(|set| set.counts.in_orders() > 0) {
            return Err(Refusal::HasOrders);
        }
        if self.patch.lifetime.is_given() && event.finish() != was.finish() {
            move_prices(&event, &sets, cx.now, view)?;
        }
        if event.status == EventStatus::Canceled && was.status != EventStatus::Canceled {
            refund_orders_of(&event, &sets, cx, view);
        }
        event.updated_at = cx.now;
        event.revision += 1;
        view.events.put(event.clone());
        let sets = view.sets_of(self.event).into_iter().filter(|set| !set.removed).cloned().collect();
        Ok((event, sets))
    }
}

impl UpdateEvent {
    /// The removal of an event.
    pub fn remove(event: EventId) -> Self {
        let patch = EventPatch { removed: Patch::Set(true), ..EventPatch::default() };
        Self { event, patch }
    }
}

/// Plain prices last until the end of the event, and move with it.
fn move_prices(event: &Event, sets: &[Set], now: Timestamp, view: &mut View) -> Result<(), Refusal> {
    for set in sets {
        let mut moved = set.clone();
        for rule in moved.rules.iter_mut().filter(|rule| rule.until_end) {
            rule.window.finish = event.finish().map(|finish| finish.max(rule.window.start));
        }
        crate::set::check_rules(&moved.rules)?;
        if moved != *set {
            moved.edited(now);
            view.sets.put(moved);
        }
    }
    Ok(())
}
