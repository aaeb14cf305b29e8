//! Row inventories: the seats of a set in one row of the hall, and which of them are vacant. They say where
//! neighbours are to be had without a look at the hall's tickets.

use super::row::Row;
pub use crate::values::resource_ids::SeatRowInventoryId;
use crate::values::resource_ids::SetId;
pub use crate::values::seat_numbers::SeatNumbers;
use crate::values::seating::RowName;

/// The rank of a row that no map ranks: after all that have one.
pub const UNRANKED_ROW: u32 = u32::MAX;

/// The seats of a set in one row. It is there as long as there is a ticket for one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatRowInventory {
    /// The id.
    pub id: SeatRowInventoryId,
    /// The set.
    pub set: SetId,
    /// The row; a set has one row inventory in it.
    pub row: RowName,
    /// How good it is, the lowest first; of equals, the one nearer to the front is better.
    pub rank: u32,
    /// How many seats it has.
    pub seats: u32,
    /// The numbers of those that are vacant.
    pub vacant: SeatNumbers,
}

impl SeatRowInventory {
    /// What row inventories of a set are sorted by: the best first.
    pub fn sort_key(&self) -> (u32, &RowName) {
        (self.rank, &self.row)
    }
}

impl Row for SeatRowInventory {
    type Key = SeatRowInventoryId;

    fn key(&self) -> SeatRowInventoryId {
        self.id
    }
}
