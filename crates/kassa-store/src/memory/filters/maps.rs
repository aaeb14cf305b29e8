//! What passes the filters of queries/maps.rs, and in which order.

use std::cmp::Ordering;

use super::newest_first;
use crate::memory_tables::{FilterInMemory, MemoryTables};
use crate::queries::HallMapsFilter;
use kassa_domain::hall_map::HallMap;

impl FilterInMemory<HallMap> for HallMapsFilter {
    fn matches(&self, map: &HallMap, _: &MemoryTables) -> bool {
        map.venue == self.venue && self.ids.as_ref().is_none_or(|ids| ids.contains(&map.id))
    }

    fn compare(&self, one: &HallMap, other: &HallMap) -> Ordering {
        newest_first(&one.id, &other.id)
    }
}
