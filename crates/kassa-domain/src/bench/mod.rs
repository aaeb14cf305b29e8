//! Benches: the chairs of a set in one row of the hall, and which of them are vacant. They say where
//! neighbours are to be had without a look at the hall's tickets.

mod numbers;
mod pick;

pub use numbers::Numbers;
pub(crate) use pick::{Chair, Choice, are_neighbours, choose};

use crate::id::Id;
use crate::seating::RowName;
use crate::set::SetId;
use crate::view::Row;

/// The id of a bench.
pub type BenchId = Id<Bench>;

/// The rank of a row of which no map says one: behind all that have one.
pub const UNRANKED: u32 = u32::MAX;

/// The chairs of a set in one row. It is there as long as there is a ticket for one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bench {
    /// The id.
    pub id: BenchId,
    /// The set.
    pub set: SetId,
    /// The row; a set has one bench in it.
    pub row: RowName,
    /// How good it is, the lowest first; of equals, the one nearer to the front is better.
    pub rank: u32,
    /// How many chairs it has.
    pub chairs: u32,
    /// The numbers of those that are vacant.
    pub vacant: Numbers,
}

impl Bench {
    /// What benches of a set are sorted by: the best first.
    pub fn place(&self) -> (u32, &RowName) {
        (self.rank, &self.row)
    }
}

impl Row for Bench {
    type Key = BenchId;

    fn key(&self) -> BenchId {
        self.id
    }
}
