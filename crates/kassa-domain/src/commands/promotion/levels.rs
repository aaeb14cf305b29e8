//! The levels of a promotion, as a request gives them.

use crate::model::promotion::{DiscountKind, DiscountLevel, LevelMeasure};
use crate::refusal::LevelsRefusal;
use crate::values::money::{Money, Percent};
use crate::values::price::Share;

/// A level as it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestedLevel {
    /// From how much on: an amount, or a number of tickets, which is read as an amount, too.
    pub from: Money,
    /// What it takes off.
    pub value: RequestedLevelValue,
}

/// A value as it was written: what it means is said by the kind of the promotion. `"10%"` is not an amount,
/// 500 is not a percentage, and 10 may be either.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestedLevelValue {
    /// Read as a percentage up to 100.
    pub percent: Option<Percent>,
    /// Read as an amount.
    pub amount: Option<Money>,
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
