//! What one writer of the database keeps between batches: how far its ids have come, the block of
//! order numbers that it has leased, and until when its number is its own.
//!
//! A writer is a lane of a server, or a command line beside it. It has a number that no other has at the
//! same time, and nobody gives these out: whoever needs one claims a row that is free. Each claim moves
//! the row's epoch. A batch locks the row of its writer before anything else and decides nothing unless
//! the epoch is still the writer's: one that stood still while somebody else took its number writes
//! nothing late. The clocks of two machines may differ, and so only say when a number *may* be taken;
//! who has it is said by the epoch alone.

use super::row::{Row, RowKey};
use crate::values::batch_id::BatchId;
use crate::values::id;
use crate::values::time::Timestamp;

/// Order numbers that a node takes at a time.
pub const ORDER_NUMBERS_PER_BLOCK: i64 = 10_000;

/// How long a number belongs to a writer that does not write, in milliseconds.
pub const NODE_LEASE_MS: i64 = 10_000;

/// One writer: a lane of a server, or a command line beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The bits that its ids carry, 0..1023.
    pub number: u16,
    /// The highest key that it has made.
    pub last_id: i64,
    /// The next order number of its block.
    pub next_order_number: i64,
    /// The first order number after its block. What is left of it goes to the next who has the number.
    pub order_numbers_end: i64,
    /// How often the number was claimed: who has claimed it last has it.
    pub epoch: i64,
    /// How many batches with changes were committed under the number.
    pub batches: i64,
    /// Until when nobody else claims it.
    pub lease_till: Timestamp,
}

impl Node {
    /// A writer that has made nothing yet.
    pub fn new(node: u16) -> Self {
        Self {
            number: node,
            last_id: 0,
            next_order_number: 0,
            order_numbers_end: 0,
            epoch: 0,
            batches: 0,
            lease_till: Timestamp::from_ms(0),
        }
    }

    /// The name of the batch that it decides now, if that states changes.
    pub fn next_batch_id(&self) -> BatchId {
        BatchId { node: self.number, epoch: self.epoch, number: self.batches + 1 }
    }

    /// Whether a writer without a number may claim this one.
    pub fn is_claimable(&self, now: Timestamp) -> bool {
        self.lease_till <= now
    }

    /// Keeps the number for another while.
    pub fn renew_lease(&mut self, now: Timestamp) {
        self.lease_till = now.plus_ms(NODE_LEASE_MS);
    }

    /// The next free key.
    pub fn next_key(&mut self, now: Timestamp) -> i64 {
        self.last_id = id::next_key(self.last_id, self.number, now);
        self.last_id
    }

    /// The next free order number; `None` when the block is used up.
    pub fn next_order_number(&mut self) -> Option<i64> {
        let number = self.next_order_number;
        (number < self.order_numbers_end).then(|| {
            self.next_order_number += 1;
            number
        })
    }

    /// How many order numbers are left in the block.
    pub fn order_numbers_left(&self) -> i64 {
        self.order_numbers_end - self.next_order_number
    }
}

impl Row for Node {
    type Key = u16;

    fn key(&self) -> u16 {
        self.number
    }
}

/// A number that all nodes share and take blocks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedCounter {
    /// Which one.
    pub name: SharedCounterName,
    /// The first number that nobody has taken.
    pub next: i64,
}

/// The counters there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SharedCounterName {
    /// Order numbers.
    OrderNumber,
}

impl RowKey for SharedCounterName {}

impl Row for SharedCounter {
    type Key = SharedCounterName;

    fn key(&self) -> SharedCounterName {
        self.name
    }
}
