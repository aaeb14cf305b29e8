//! Row inventories: the rows of a hall.

use kassa_domain::Id;
use kassa_domain::seat_row_inventory::{SeatNumbers, SeatRowInventory};

use super::system::read_tag;
use super::{Column, MappedRow, RowKey as _, columns};
use crate::cell::{Cell, RowReader};
use crate::error::StoreError;

impl MappedRow for SeatRowInventory {
    const TABLE: &'static str = "seat_row_inventories";
    const COLUMNS: &'static [Column] = columns![
        Key Int "id",
        Tag Int "tag",
        Immutable Int "set_id",
        Immutable Text "seat_row",
        Immutable Text "row_order",
        Mutable Int "rank",
        Mutable Int "seats",
        Mutable Blob "vacant",
        Mutable Int "longest_vacant_run",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        self.id.write(out);
        out.extend([
            self.id.tag().to_i64().into(),
            self.set.key().into(),
            self.row.as_str().into(),
            self.row.sort_key().into(),
            i64::from(self.rank).into(),
            i64::from(self.seats).into(),
            Cell::Blob(self.vacant.to_bytes().into()),
            i64::from(self.vacant.longest_run()).into(),
        ]);
    }

    fn read(source: &mut dyn RowReader) -> Result<Self, StoreError> {
        let key = source.int()?;
        let tag = read_tag(source)?;
        let set = Id::with_tag(tag, source.int()?);
        let row = source.parse()?;
        // The place of the row among rows follows from its name.
        source.next_cell()?;
        let (rank, chairs) = (source.int_as()?, source.int_as()?);
        let vacant = SeatNumbers::from_bytes(&source.blob()?);
        // What is looked up by follows from what is vacant.
        source.next_cell()?;
        Ok(Self { id: Id::with_tag(tag, key), set, row, rank, seats: chairs, vacant })
    }
}
