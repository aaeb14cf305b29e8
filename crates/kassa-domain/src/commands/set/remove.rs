//! The removal of a set.

use super::resize::charge_tickets;
use super::resolve::set_for_write;
use crate::context::Context;
use crate::context::command::{COMMAND_ROWS_MAX, Command};
use crate::model::change::ChangeType;
use crate::model::set::{SeatSelector, TicketSet};
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::{EventId, SetId};
use crate::values::seating::Seating;
use crate::view::{ReadSet, View};

/// Removes a set that has no live and no paid orders. Removing it again changes nothing. Its seats
/// are free for other sets; tickets without seats stay.
#[derive(Clone, Debug)]
pub struct RemoveSet {
    /// Of which event it must be.
    pub event: EventId,
    /// Which.
    pub set: SetId,
    /// Its seats, as they were when the request looked: these are loaded.
    pub observed_seats: Vec<SeatSelector>,
}

impl Command for RemoveSet {
    type Outcome = TicketSet;

    fn shard(&self) -> ShardTag {
        self.event.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.events.push(self.event);
        read_set.organizers_of.push(self.event);
        read_set.sets_of.push(self.event);
        if !self.observed_seats.is_empty() {
            read_set.organizers_to_charge.push(self.event);
        }
        read_set.seats.extend_from_slice(&self.observed_seats);
    }

    fn weight(&self) -> u32 {
        8 + self.observed_seats.iter().map(|seats| seats.range.count()).sum::<u32>().min(COMMAND_ROWS_MAX)
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<TicketSet, Refusal> {
        let (mut event, mut set) = set_for_write(cx, view, self.event, self.set)?;
        if set.counts.in_orders() > 0 {
            return Err(Refusal::HasOrders);
        }
        if !set.removed {
            let was = set.clone();
            set.removed = true;
            if set.seats.is_some() {
                let amount_before = set.target_amount();
                set.retarget_seats(&Seating::default());
                charge_tickets(amount_before, &set, &event, cx, view)?;
                set.advance(&mut event, cx, view)?;
            }
            let facts = set.edit_facts(&was, cx.now);
            cx.state(&mut set, ChangeType::SetRemoved, facts, view);
            view.sets.put(set.clone());
        }
        Ok(set)
    }
}
