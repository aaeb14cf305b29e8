//! Hall maps.

use kassa_domain::Id;
use kassa_domain::change::Revision;
use kassa_domain::hall_map::{HallMap, HallMapId};
use kassa_domain::venue::VenueId;

use crate::cell::json_cell;
use crate::lists::{Conditions, Filter, Predicate};
use crate::rows::{batch_id_cell, read_batch_id, read_time, table};

table! { HallMap, "hall_maps", |row, source| {
    Key Int "id": id = Id::root(source.int()?), row.id.key();
    Immutable Int "venue": venue = Id::root(source.int()?), row.venue.key();
    Mutable Text "name": name = source.text()?, row.name.as_str();
    Mutable Json "about": desc = source.json()?, json_cell(&row.desc);
    Mutable Json "sectors": sectors = source.json()?, json_cell(&row.sectors);
    Immutable Int "created_at": created_at = read_time(source)?, row.created_at.ms();
    Mutable Int "updated_at": updated_at = read_time(source)?, row.updated_at.ms();
    Mutable Int "revision": revision = source.int()?, row.revision.number();
    Mutable Blob "changed_in": changed_in = read_batch_id(source)?, batch_id_cell(row.revision.changed_in());
} => HallMap { id, venue, name, desc, sectors, created_at, updated_at, revision: Revision::stored(revision, changed_in) } }

/// The maps of a venue, newest first.
#[derive(Clone, Debug)]
pub struct HallMapsFilter {
    /// Of which venue.
    pub venue: VenueId,
    /// Only these.
    pub ids: Option<Vec<HallMapId>>,
}

impl Filter for HallMapsFilter {
    type Row = HallMap;

    fn conditions(&self, conditions: &mut Conditions) {
        conditions.add(Predicate::equal("venue", self.venue.key()));
        conditions.extend(self.ids.as_deref().map(|ids| Predicate::names_one_of("id", ids)));
    }
}
