//! Hall maps.

use kassa_domain::Id;
use kassa_domain::hall_map::HallMap;

use super::system::read_time;
use super::{Column, MappedRow, RowKey as _, columns};
use crate::cell::{Cell, RowReader, json_cell};
use crate::error::StoreError;

impl MappedRow for HallMap {
    const TABLE: &'static str = "hall_maps";
    const COLUMNS: &'static [Column] = columns![
        Key Int "id",
        Immutable Int "venue",
        Mutable Text "name",
        Mutable Json "about",
        Mutable Json "sectors",
        Immutable Int "created_at",
        Mutable Int "updated_at",
        Mutable Int "revision",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        self.id.write(out);
        out.extend([
            self.venue.key().into(),
            self.name.as_str().into(),
            json_cell(&self.desc),
            json_cell(&self.sectors),
            self.created_at.ms().into(),
            self.updated_at.ms().into(),
            self.revision.into(),
        ]);
    }

    fn read(source: &mut dyn RowReader) -> Result<Self, StoreError> {
        Ok(Self {
            id: Id::root(source.int()?),
            venue: Id::root(source.int()?),
            name: source.text()?,
            desc: source.json()?,
            sectors: source.json()?,
            created_at: read_time(source)?,
            updated_at: read_time(source)?,
            revision: source.int()?,
        })
    }
}
