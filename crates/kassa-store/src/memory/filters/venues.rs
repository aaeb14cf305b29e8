//! What passes the filters of queries/venues.rs, and in which order.

use std::cmp::Ordering;

use kassa_domain::venue::Venue;

use super::newest_first;
use crate::memory_tables::{FilterInMemory, MemoryTables};
use crate::queries::VenuesFilter;
use crate::rows::venues::fold_case;

impl FilterInMemory<Venue> for VenuesFilter {
    fn matches(&self, venue: &Venue, _: &MemoryTables) -> bool {
        let named = |suggest: &String| fold_case(&venue.name).contains(&fold_case(suggest));
        self.ids.as_ref().is_none_or(|ids| ids.contains(&venue.id))
            && self.org.is_none_or(|org| org == venue.owner)
            && self.city.is_none_or(|city| Some(city) == venue.city)
            && self.country.is_none_or(|country| Some(country) == venue.country)
            && self.name_contains.as_ref().is_none_or(named)
            && (!venue.removed || self.include_removed_of.contains(&venue.owner))
    }

    fn compare(&self, one: &Venue, other: &Venue) -> Ordering {
        newest_first(&one.id, &other.id)
    }
}
