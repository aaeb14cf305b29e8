//! Why a promotion cannot have the levels that a request gives.

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
