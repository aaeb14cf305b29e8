//! Hall maps.

use kassa_domain::Id;
use kassa_domain::hall::HallMap;

use super::house::read_time;
use super::{Column, Key as _, Mapped, columns};
use crate::cell::{Cell, Source, json};
use crate::error::StoreError;

impl Mapped for HallMap {
    const TABLE: &'static str = "maps";
    const COLUMNS: &'static [Column] = columns![
        Key Int "id",
        Fixed Int "venue",
        Free Text "name",
        Free Json "about",
        Free Json "sectors",
        Fixed Int "created_at",
        Free Int "updated_at",
        Free Int "revision",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        self.id.write(out);
        out.extend([
            self.venue.key().into(),
            self.name.as_str().into(),
            json(&self.desc),
            json(&self.sectors),
            self.created_at.ms().into(),
            self.updated_at.ms().into(),
            self.revision.into(),
        ]);
    }

    fn read(source: &mut dyn Source) -> Result<Self, StoreError> {
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
