//! Sets: the ticket categories of an event, their prices in time and their counters.

mod price_rule;
mod seats;

pub use price_rule::PriceRule;
pub use seats::{SeatSelector, SetSeats};

use crate::model::row::Row;
use crate::model::ticket::TicketState;
use crate::values::resource_ids::{EventId, JobId, SetId};
use crate::values::revision::Revision;
use crate::values::time::Timestamp;

/// The most tickets of one set.
pub const SET_TICKETS_MAX: u32 = 1_000_000;

/// How many tickets of a set are where. `vacant + held + sold + blocked + pending = amount`,
/// always, and the database checks it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TicketCounts {
    /// All of them.
    pub amount: i64,
    /// For sale.
    pub vacant: i64,
    /// In orders that are not paid.
    pub held: i64,
    /// In paid orders.
    pub sold: i64,
    /// Held back by the organizer.
    pub blocked: i64,
    /// Still to be made by a job.
    pub pending: i64,
}

impl TicketCounts {
    /// Tickets in live or paid orders.
    pub fn in_orders(&self) -> i64 {
        self.held + self.sold
    }

    /// Whether the counters add up.
    pub fn is_balanced(&self) -> bool {
        let parts = [self.vacant, self.held, self.sold, self.blocked, self.pending];
        parts.iter().all(|part| *part >= 0) && parts.iter().sum::<i64>() == self.amount
    }

    /// The counter of the tickets in a state.
    pub(crate) fn counter_of(&mut self, state: &TicketState) -> &mut i64 {
        match state {
            TicketState::Vacant => &mut self.vacant,
            TicketState::Held { .. } => &mut self.held,
            TicketState::Sold { .. } => &mut self.sold,
            TicketState::Blocked => &mut self.blocked,
        }
    }
}

/// A set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TicketSet {
    /// The id.
    pub id: SetId,
    /// Its event.
    pub event: EventId,
    /// Its name.
    pub name: String,
    /// Its description.
    pub desc: Option<String>,
    /// Where its tickets are in the hall; empty where that says nothing.
    pub sector: String,
    /// Where it stands among the event's sets.
    pub pos: i64,
    /// Three letters that its tickets share.
    pub serial: String,
    /// Its prices, by start, never overlapping.
    pub rules: Vec<PriceRule>,
    /// Where its tickets are.
    pub counts: TicketCounts,
    /// Its seats, if it has seats.
    pub seats: Option<SetSeats>,
    /// Vacant tickets that a job has still to take away.
    pub pending_removal: i64,
    /// The key of the ticket that was picked last: the next pick starts after it.
    pub pick_cursor: i64,
    /// The job that makes or takes away its tickets.
    pub job: Option<JobId>,
    /// Whether it was deleted.
    pub removed: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last edited.
    pub updated_at: Timestamp,
    /// Counts edits; sales do not count.
    pub revision: Revision,
    /// Counts how often its last ticket went, or the first one came.
    pub inventory: Revision,
}

impl TicketSet {
    /// Vacant tickets that may be given out: not those that are about to be taken away.
    pub fn available(&self) -> i64 {
        (self.counts.vacant - self.pending_removal).max(0)
    }

    /// How much it says, in bytes, roughly: its texts, its seats and its prices are read with every command on its event.
    pub fn approximate_bytes(&self) -> usize {
        /// Of a set without texts, and of one of its price rules.
        const ROW_BYTES: usize = 100;
        let seats = self.seats.as_ref().map_or(0, |seats| seats.layout.as_str().len());
        ROW_BYTES * (1 + self.rules.len()) + self.name.len() + self.desc.as_ref().map_or(0, String::len) + seats
    }

    /// The price rule in force at `now`.
    pub fn current_rule(&self, now: Timestamp) -> Option<&PriceRule> {
        self.rules.iter().find(|rule| rule.window.contains(now))
    }

    /// Whether nothing says what its tickets cost, though it is there.
    pub fn is_unpriced(&self) -> bool {
        self.rules.is_empty() && !self.removed
    }

    /// Whether a ticket of it has ever been in an order.
    pub fn has_sold(&self) -> bool {
        self.rules.iter().any(|rule| rule.has_sold)
    }

    /// The rule whose price is shown at `now`: the one in force, else the next, else the last.
    pub fn shown_rule(&self, now: Timestamp) -> Option<&PriceRule> {
        let next = || self.rules.iter().find(|rule| rule.window.start > now);
        self.current_rule(now).or_else(next).or(self.rules.last())
    }

    /// The price rule under which a ticket is sold at `now`; `None` when the set is not for sale.
    pub fn selling_rule(&self, now: Timestamp) -> Option<&PriceRule> {
        if self.removed { None } else { self.current_rule(now) }
    }
}

impl Row for TicketSet {
    type Key = SetId;

    fn key(&self) -> SetId {
        self.id
    }

    fn moments(&self, note: &mut dyn FnMut(Timestamp)) {
        self.rules.iter().for_each(|rule| rule.window.moments(note));
    }
}
