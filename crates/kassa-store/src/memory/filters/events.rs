//! What passes the filters of queries/events.rs, and in which order.

use std::cmp::Ordering;

use kassa_domain::deal::Deal;
use kassa_domain::event::{Event, EventStatus};

use super::newest_first;
use crate::memory_tables::{FilterInMemory, MemoryTables};
use crate::queries::EventsFilter;

impl FilterInMemory<Event> for EventsFilter {
    fn matches(&self, event: &Event, tables: &MemoryTables) -> bool {
        let public = event.status == EventStatus::Public && !event.removed;
        let dealt =
            |deal: &Deal| deal.event == event.id && deal.is_accepted() && self.caller_partners.contains(&deal.agent);
        (public || self.caller_partners.contains(&event.organizer) || tables.deals.rows().any(dealt))
            && self.org.is_none_or(|org| org == event.organizer)
            && self.ids.as_ref().is_none_or(|ids| ids.contains(&event.id))
            && (self.include_removed || !event.removed)
            && self.status.as_ref().is_none_or(|wanted| wanted.contains(&event.effective_status(self.now)))
    }

    fn compare(&self, one: &Event, other: &Event) -> Ordering {
        newest_first(&one.id, &other.id)
    }
}
