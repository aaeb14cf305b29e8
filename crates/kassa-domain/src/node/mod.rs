//! What one writer of the database keeps between batches: how far its ids have come, the block of
//! order numbers that it has leased, and until when its number is its own.
//!
//! A writer is a lane of a server, or a command line beside it. It has a number that no other has at the
//! same time, and nobody gives these out: whoever needs one claims a row that is free. Each claim moves
//! the row's epoch. A batch locks the row of its writer before anything else and decides nothing unless
//! the epoch is still the writer's: one that stood still while somebody else took its number writes
//! nothing late. The clocks of two machines may differ, and so only say when a number *may* be taken;
//! who has it is said by the epoch alone.

mod claim;
mod fact;

pub use claim::{ClaimNode, GiveBackNode, KeepNode};
pub use fact::{ClaimSecret, Fact, FactName};

use crate::id;
use crate::time::Timestamp;
use crate::view::Row;

/// Order numbers that a node takes at a time.
pub const NUMBERS_PER_BLOCK: i64 = 10_000;

/// How long a number belongs to a writer that does not write, in milliseconds.
pub const NUMBER_LEASE_MS: i64 = 10_000;

/// One writer: a lane of a server, or a command line beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The bits that its ids carry, 0..1023.
    pub node: u16,
    /// The highest key that it has made.
    pub id_mark: i64,
    /// The next order number of its block.
    pub number_next: i64,
    /// The first order number after its block. What is left of it goes to the next who has the number.
    pub number_end: i64,
    /// How often the number was claimed: who has claimed it last has it.
    pub epoch: i64,
    /// Until when nobody else claims it.
    pub lease_till: Timestamp,
}

impl Node {
    /// A writer that has made nothing yet.
    pub fn new(node: u16) -> Self {
        let never = Timestamp::from_ms(0);
        Self { node, id_mark: 0, number_next: 0, number_end: 0, epoch: 0, lease_till: never }
    }

    /// Whether a writer without a number may claim this one.
    pub fn is_free(&self, now: Timestamp) -> bool {
        self.lease_till <= now
    }

    /// Keeps the number for another while.
    pub fn keep(&mut self, now: Timestamp) {
        self.lease_till = now.plus_ms(NUMBER_LEASE_MS);
    }

    /// The next free key.
    pub fn next_key(&mut self, now: Timestamp) -> i64 {
        self.id_mark = id::next_key(self.id_mark, self.node, now);
        self.id_mark
    }

    /// The next free order number; `None` when the block is used up.
    pub fn next_number(&mut self) -> Option<i64> {
        let number = self.number_next;
        (number < self.number_end).then(|| {
            self.number_next += 1;
            number
        })
    }

    /// How many order numbers are left in the block.
    pub fn numbers_left(&self) -> i64 {
        self.number_end - self.number_next
    }
}

impl Row for Node {
    type Key = u16;

    fn key(&self) -> u16 {
        self.node
    }
}

/// A number that all nodes share and take blocks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// Which one.
    pub name: CounterName,
    /// The first number that nobody has taken.
    pub next: i64,
}

/// The counters there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CounterName {
    /// Order numbers.
    OrderNumber,
}

impl Row for Counter {
    type Key = CounterName;

    fn key(&self) -> CounterName {
        self.name
    }
}
