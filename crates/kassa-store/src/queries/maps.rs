//! Hall maps.

use std::cmp::Ordering;

use kassa_domain::hall::{HallMap, MapId};
use kassa_domain::venue::VenueId;

use super::partners::ids;
use super::{Conditions, Filter, newest_first};
use crate::memory::Tables;

/// The maps of a venue, newest first.
#[derive(Clone, Debug)]
pub struct MapsFilter {
    /// Of which venue.
    pub venue: VenueId,
    /// Only these.
    pub ids: Option<Vec<MapId>>,
}

impl Filter for MapsFilter {
    type Row = HallMap;
    const ORDER: &'static str = "id DESC";

    fn conditions(&self, sql: &mut Conditions) {
        sql.add("venue = ?", [self.venue.key().into()]);
        if let Some(list) = &self.ids {
            sql.one_of("id", ids(list));
        }
    }

    fn passes(&self, map: &HallMap, _: &Tables) -> bool {
        map.venue == self.venue && self.ids.as_ref().is_none_or(|ids| ids.contains(&map.id))
    }

    fn compare(&self, one: &HallMap, other: &HallMap) -> Ordering {
        newest_first(&one.id, &other.id)
    }
}
