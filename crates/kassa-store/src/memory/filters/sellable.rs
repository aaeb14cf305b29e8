//! What passes the filters of queries/sellable.rs, and in which order.

use std::cmp::Ordering;

use kassa_domain::deal::Deal;
use kassa_domain::event::Event;
use kassa_domain::venue::Venue;

use super::newest_first;
use crate::memory_tables::{FilterInMemory, MemoryTables};
use crate::queries::SellableEventsFilter;

impl FilterInMemory<Event> for SellableEventsFilter {
    fn matches(&self, event: &Event, tables: &MemoryTables) -> bool {
        let sold = |deal: &Deal| deal.event == event.id && deal.is_accepted() && self.sellers.contains(&deal.agent);
        let venue = event.venue.and_then(|venue| tables.venues.get(venue));
        let in_time =
            |(from, to)| event.lifetime.is_some_and(|lifetime| lifetime.start <= to && !lifetime.has_ended_at(from));
        (self.sellers.contains(&event.organizer) || tables.deals.rows().any(sold))
            && !event.removed
            && self.status.contains(&event.effective_status(self.now))
            && self.ids.as_ref().is_none_or(|list| list.contains(&event.id))
            && self.orgs.as_ref().is_none_or(|list| list.contains(&event.organizer))
            && self.tags.as_ref().is_none_or(|list| event.details.tags.iter().any(|tag| list.contains(tag)))
            && self.venues.as_ref().is_none_or(|list| event.venue.is_some_and(|venue| list.contains(&venue)))
            && self.matches_location(venue)
            && self.lifetime.is_none_or(in_time)
            && self.created_since.is_none_or(|time| event.created_at >= time)
            && self.updated_since.is_none_or(|time| event.updated_at >= time)
            && self.updated_after.is_none_or(|time| event.updated_at > time)
            && self.before.is_none_or(|last| event.id.key() < last.key())
    }

    fn compare(&self, one: &Event, other: &Event) -> Ordering {
        newest_first(&one.id, &other.id)
    }
}

impl SellableEventsFilter {
    fn matches_location(&self, venue: Option<&Venue>) -> bool {
        let city = venue.and_then(|venue| venue.city);
        let country = venue.and_then(|venue| venue.country);
        self.cities.as_ref().is_none_or(|list| city.is_some_and(|city| list.contains(&city)))
            && self.countries.as_ref().is_none_or(|list| country.is_some_and(|country| list.contains(&country)))
    }
}
