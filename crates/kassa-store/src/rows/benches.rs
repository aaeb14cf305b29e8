//! Benches: the rows of a hall.

use kassa_domain::Id;
use kassa_domain::bench::{Bench, Numbers};

use super::house::read_tag;
use super::{Column, Key as _, Mapped, columns};
use crate::cell::{Cell, Source};
use crate::error::StoreError;

impl Mapped for Bench {
    const TABLE: &'static str = "benches";
    const COLUMNS: &'static [Column] = columns![
        Key Int "id",
        Tag Int "tag",
        Fixed Int "set_id",
        Fixed Text "seat_row",
        Fixed Text "row_order",
        Free Int "rank",
        Free Int "chairs",
        Free Blob "vacant",
        Free Int "longest",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        self.id.write(out);
        out.extend([
            self.id.tag().to_i64().into(),
            self.set.key().into(),
            self.row.as_str().into(),
            self.row.order().into(),
            i64::from(self.rank).into(),
            i64::from(self.chairs).into(),
            Cell::Blob(self.vacant.to_bytes().into()),
            i64::from(self.vacant.longest_run()).into(),
        ]);
    }

    fn read(source: &mut dyn Source) -> Result<Self, StoreError> {
        let key = source.int()?;
        let tag = read_tag(source)?;
        let set = Id::under(tag, source.int()?);
        let row = source.parsed()?;
        // The place of the row among rows follows from its name.
        source.next_cell()?;
        let (rank, chairs) = (source.small()?, source.small()?);
        let vacant = Numbers::from_bytes(&source.blob()?);
        // What is looked up by follows from what is vacant.
        source.next_cell()?;
        Ok(Self { id: Id::under(tag, key), set, row, rank, chairs, vacant })
    }

    fn uniques(&self) -> Vec<String> {
        vec![format!("{} row {:?}", self.set, self.row)]
    }

    fn checks(&self) -> bool {
        self.chairs > 0 && self.vacant.longest_run() <= self.chairs
    }
}
