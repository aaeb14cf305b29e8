//! Hall maps.

use std::cmp::Ordering;

use kassa_domain::hall_map::{HallMap, HallMapId};
use kassa_domain::venue::VenueId;

use super::partners::root_keys;
use super::{Conditions, Filter, newest_first};
use crate::memory::MemoryTables;

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
    const ORDER: &'static str = "id DESC";

    fn conditions(&self, sql: &mut Conditions) {
        sql.add("venue = ?", [self.venue.key().into()]);
        if let Some(list) = &self.ids {
            sql.one_of("id", root_keys(list));
        }
    }

    fn matches(&self, map: &HallMap, _: &MemoryTables) -> bool {
        map.venue == self.venue && self.ids.as_ref().is_none_or(|ids| ids.contains(&map.id))
    }

    fn compare(&self, one: &HallMap, other: &HallMap) -> Ordering {
        newest_first(&one.id, &other.id)
    }
}
