//! Changes to an event, its removal included.

use super::EventPatch;
use crate::commands::refund::schedule_refunds;
use crate::commands::set::{check_price_rules, check_seats_on_map};
use crate::context::Context;
use crate::context::command::{Command, HALL_MAP_WEIGHT, LIGHT_WEIGHT};
use crate::model::change::{ChangeType, FactName, Facts};
use crate::model::event::{EffectiveEventStatus, Event, EventStatus};
use crate::model::set::TicketSet;
use crate::permission;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::patch::Patch;
use crate::values::resource_ids::EventId;
use crate::view::{ReadSet, View};

/// Changes an event. What switches its sales (status, lifetime, removal) locks its sets, which
/// orders lock too: no sale slips past the switch. What makes it occupy its venue locks the venue and the map, too: while
/// it was a draft they may have changed.
#[derive(Debug)]
pub struct UpdateEvent {
    /// Which.
    pub event: EventId,
    /// What changes.
    pub patch: EventPatch,
}

impl Command for UpdateEvent {
    /// The event, and its sets in the order in which they are shown.
    type Outcome = (Event, Vec<TicketSet>);

    fn shard(&self) -> ShardTag {
        self.event.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.events.push(self.event);
        read_set.organizers_of.push(self.event);
        read_set.sets_of.push(self.event);
        // The answer shows where the event takes place.
        read_set.venues_of.push(self.event);
        self.patch.read_set(read_set);
        if self.patch.may_occupy() {
            read_set.venues_to_occupy.push(self.event);
            read_set.hall_maps_to_occupy.push(self.event);
        } else if self.needs_own_map() {
            read_set.hall_map_of.push(self.event);
        }
    }

    fn weight(&self) -> u32 {
        let map = if self.patch.may_occupy() || self.needs_own_map() { HALL_MAP_WEIGHT } else { 0 };
        LIGHT_WEIGHT + map + self.patch.weight()
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Self::Outcome, Refusal> {
        let mut event = view.events.get(self.event).ok_or(Refusal::NotFound("event"))?.clone();
        permission::write_event(cx.actor, &event, view)?;
        self.patch.check_venue(event.venue, view)?;
        let was = event.clone();
        event.apply(self.patch.clone(), self.patch.media.resolve(cx.actor, view)?);
        if self.patch.must_be_finished && was.effective_status(cx.now) != EffectiveEventStatus::Finished {
            return Err(Refusal::EventNotFinished);
        }
        if was.status == EventStatus::Canceled && event.status != EventStatus::Canceled {
            return Err(Refusal::EventCanceled);
        }
        // There may be many, with long texts: they are not copied but for the answer.
        let sets = view.sets_of(self.event);
        if event.status != was.status {
            event.withdrawn = event.status == EventStatus::StandBy && sets.iter().any(|set| set.has_sold());
        }
        let begins_to_occupy = event.occupies_venue(cx.now) && !was.occupies_venue(cx.now);
        if begins_to_occupy {
            event.check_own_venue(view)?;
        }
        if let Some(map) = event.check_hall_map(Some(&was).filter(|_| !begins_to_occupy), view)? {
            check_seats_on_map(sets.iter().copied().filter(|set| !set.removed), map)?;
        }
        event.check_sellable(Some(&was))?;
        if event.removed && !was.removed && sets.iter().any(|set| set.counts.in_orders() > 0) {
            return Err(Refusal::HasOrders);
        }
        let is_sold = sets.iter().any(|set| set.counts.sold > 0);
        if self.patch.lifetime.is_given() && event.ends_at() != was.ends_at() {
            move_price_ends(&event, cx, view)?;
        }
        if event.status == EventStatus::Canceled && was.status != EventStatus::Canceled && is_sold {
            schedule_refunds(&event, cx, view);
        }
        if event != was {
            let (kind, facts) = (event.edit_type(&was), event.edit_facts(&was));
            cx.state(&mut event, kind, facts, view);
            view.events.put(event.clone());
        }
        let sets = view.sets_of(self.event).into_iter().filter(|set| !set.removed).cloned().collect();
        Ok((event, sets))
    }
}

impl UpdateEvent {
    /// Whether it must be seen that the map by which it sells is one of its new venue.
    fn needs_own_map(&self) -> bool {
        self.patch.venue.is_given() && !self.patch.hall_map.is_given()
    }

    /// The removal of an event.
    pub fn remove(event: EventId) -> Self {
        let patch = EventPatch { removed: Patch::Set(true), ..EventPatch::default() };
        Self { event, patch }
    }
}

/// Plain prices last until the end of the event, and move with it.
fn move_price_ends(event: &Event, cx: &Context<'_>, view: &mut View) -> Result<(), Refusal> {
    let mut moved = Vec::new();
    for set in view.sets_of(event.id) {
        let mut rules = set.rules.clone();
        for rule in rules.iter_mut().filter(|rule| rule.ends_with_event) {
            rule.window.finish = event.ends_at().map(|finish| finish.max(rule.window.start));
        }
        check_price_rules(&rules)?;
        if rules != set.rules {
            moved.push(TicketSet { rules, ..set.clone() });
        }
    }
    for mut set in moved {
        cx.state(&mut set, ChangeType::SetChanged, Facts::none().hidden(FactName::PriceRules), view);
        view.sets.put(set);
    }
    Ok(())
}
