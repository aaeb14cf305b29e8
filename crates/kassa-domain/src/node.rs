//! What one writer of the database keeps between batches: how far its ids have come, and the block
//! of order numbers that it has leased. The row is read and written in every batch, so that its
//! version also fences a writer off that has lost its place.

use crate::command::Command;
use crate::context::Context;
use crate::id::{self, Tag};
use crate::refusal::Refusal;
use crate::time::Timestamp;
use crate::view::{Needs, Row, View};

/// Order numbers that a node takes at a time.
pub const NUMBERS_PER_BLOCK: i64 = 10_000;

/// One writer: a lane of a server, or a command line beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The bits that its ids carry, 0..1023.
    pub node: u16,
    /// The highest key that it has made.
    pub id_mark: i64,
    /// The next order number of its block.
    pub number_next: i64,
    /// The first order number after its block.
    pub number_end: i64,
}

impl Node {
    /// A writer that has made nothing yet.
    pub fn new(node: u16) -> Self {
        Self { node, id_mark: 0, number_next: 0, number_end: 0 }
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

/// Something that holds for the whole installation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Which one.
    pub name: FactName,
    /// What holds.
    pub value: String,
}

/// The facts there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FactName {
    /// The fingerprint of the secret that all nodes share.
    SecretFingerprint,
}

impl Row for Fact {
    type Key = FactName;

    fn key(&self) -> FactName {
        self.name
    }
}

/// Notes the fingerprint of the secret when there is none yet, and tells the one that holds.
#[derive(Debug)]
pub struct ClaimSecret {
    /// Of the secret that this node has.
    pub fingerprint: String,
}

impl Command for ClaimSecret {
    type Outcome = String;

    fn shard(&self) -> Tag {
        Tag::of(0)
    }

    fn needs(&self, needs: &mut Needs) {
        needs.facts.push(FactName::SecretFingerprint);
    }

    fn decide(&self, _: &mut Context<'_>, view: &mut View) -> Result<String, Refusal> {
        if let Some(fact) = view.facts.get(FactName::SecretFingerprint) {
            return Ok(fact.value.clone());
        }
        view.facts.put(Fact { name: FactName::SecretFingerprint, value: self.fingerprint.clone() });
        Ok(self.fingerprint.clone())
    }
}
