//! What a promotion takes off: levels, the higher the more an order holds.

use serde::{Deserialize, Serialize};

use crate::money::{Money, Percent};
use crate::price::Share;
use crate::set::SetId;

/// By what an order reaches a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LevelMeasure {
    /// By the number of its tickets.
    Count,
    /// By the sum of their prices before any discount.
    Sum,
}

impl LevelMeasure {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Sum, Self::Count];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Sum => "sum",
        }
    }
}

/// What the values of levels are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiscountKind {
    /// Parts of the price of each ticket.
    Percentage,
    /// The same amount for each ticket.
    FixedAmount,
}

impl DiscountKind {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Percentage, Self::FixedAmount];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Percentage => "percentage",
            Self::FixedAmount => "fix",
        }
    }
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

/// A level as it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestedLevel {
    /// From how much on: an amount, or a number of tickets, which is read as an amount, too.
    pub from: Money,
    /// What it takes off.
    pub value: RequestedLevelValue,
}

/// A value as it was written: what it means is said by the kind of the promotion. `"10%"` is no amount,
/// 500 is no percentage, and 10 may be either.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestedLevelValue {
    /// Read as a percentage up to 100.
    pub percent: Option<Percent>,
    /// Read as an amount.
    pub amount: Option<Money>,
}

/// Why levels cannot be so. Levels are counted from 1 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LevelsRefusal {
    /// Without one there is no discount.
    #[error("A promotion needs a level")]
    Missing,
    /// Another measure or kind gives the numbers of the old levels another meaning.
    #[error("by and kind say what levels mean: give new levels with them")]
    LevelsRequired,
    /// A level does not begin above the one before.
    #[error("Level {0} must begin above the one before")]
    NotAscending(usize),
    /// Half a ticket, or none.
    #[error("Level {0} must begin at a whole number of tickets, 1 or more")]
    NotWholeTickets(usize),
    /// The value is no percentage.
    #[error("The value of level {0} must be a percentage from 0 to 100, as 10 or \"10%\"")]
    NotPercentage(usize),
    /// The value is no amount.
    #[error("The value of level {0} must be an amount, as \"5.00\"")]
    NotAmount(usize),
}

/// What the levels mean that were written for a promotion of this measure and kind.
pub(super) fn parse_levels(
    by: LevelMeasure,
    kind: DiscountKind,
    wanted: &[RequestedLevel],
) -> Result<Vec<DiscountLevel>, LevelsRefusal> {
    let mut levels: Vec<DiscountLevel> = Vec::with_capacity(wanted.len());
    for (number, level) in (1..).zip(wanted) {
        let from = match by {
            LevelMeasure::Sum => level.from.minor(),
            LevelMeasure::Count => whole_tickets(level.from).ok_or(LevelsRefusal::NotWholeTickets(number))?,
        };
        if levels.last().is_some_and(|before| before.from >= from) {
            return Err(LevelsRefusal::NotAscending(number));
        }
        let value = match kind {
            DiscountKind::Percentage => {
                level.value.percent.map(Share::Percent).ok_or(LevelsRefusal::NotPercentage(number))?
            }
            DiscountKind::FixedAmount => {
                level.value.amount.map(Share::Amount).ok_or(LevelsRefusal::NotAmount(number))?
            }
        };
        levels.push(DiscountLevel { from, value });
    }
    if levels.is_empty() { Err(LevelsRefusal::Missing) } else { Ok(levels) }
}

/// A number of tickets that was read as an amount.
fn whole_tickets(from: Money) -> Option<i64> {
    let count = from.minor() / 100;
    (count > 0 && from.minor() % 100 == 0).then_some(count)
}
