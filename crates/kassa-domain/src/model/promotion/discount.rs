//! What a promotion takes off: levels, the higher the more an order holds.

use serde::{Deserialize, Serialize};

use crate::values::money::Money;
use crate::values::price::Share;
use crate::values::resource_ids::SetId;

/// By what an order reaches a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LevelMeasure {
    /// By the number of its tickets.
    Count,
    /// By the sum of their prices before any discount.
    Sum,
}

/// What the values of levels are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiscountKind {
    /// Parts of the price of each ticket.
    Percentage,
    /// The same amount for each ticket.
    FixedAmount,
}

/// A level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiscountLevel {
    /// From how much on: tickets, or cents.
    pub from: i64,
    /// What it takes off each ticket.
    pub value: Share,
}

/// What a promotion takes off, and of which tickets. It has a level at least; they grow from one to the
/// next, and their values are of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LevelDiscount {
    /// The sets whose tickets get cheaper, and count; all of them when none is named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sets: Vec<SetId>,
    /// By what an order reaches a level.
    pub measure: LevelMeasure,
    /// From the lowest on.
    pub levels: Vec<DiscountLevel>,
}

impl LevelDiscount {
    /// What the values of its levels are.
    pub fn kind(&self) -> DiscountKind {
        match self.levels.first().map(|level| level.value) {
            Some(Share::Amount(_)) => DiscountKind::FixedAmount,
            Some(Share::Percent(_)) | None => DiscountKind::Percentage,
        }
    }

    /// Whether it makes the tickets of a set cheaper.
    pub fn covers(&self, set: SetId) -> bool {
        self.sets.is_empty() || self.sets.contains(&set)
    }

    /// What it takes off each covered ticket of an order that holds tickets of these sets and prices: the
    /// value of the highest level that they reach together.
    pub fn share_for(&self, tickets: impl Iterator<Item = (SetId, Money)>) -> Option<Share> {
        let covered = tickets.filter(|(set, _)| self.covers(*set));
        let (count, sum) = covered.fold((0, 0), |(count, sum), (_, price)| (count + 1, sum + price.minor()));
        let reached = match self.measure {
            LevelMeasure::Count => count,
            LevelMeasure::Sum => sum,
        };
        self.levels.iter().rev().find(|level| level.from <= reached).map(|level| level.value)
    }

    /// Whether some set may be covered by both.
    pub(super) fn overlaps_sets(&self, other: &Self) -> bool {
        self.sets.is_empty() || other.sets.is_empty() || self.sets.iter().any(|set| other.sets.contains(set))
    }
}
