//! What passes the filters of queries/deals.rs, and in which order.

use std::cmp::Ordering;

use kassa_domain::deal::{Deal, EffectiveDealStatus};
use kassa_domain::partner::PartnerId;

use super::newest_first;
use crate::memory_tables::{FilterInMemory, MemoryTables};
use crate::queries::DealsFilter;

impl FilterInMemory<Deal> for DealsFilter {
    fn matches(&self, deal: &Deal, tables: &MemoryTables) -> bool {
        let left = EffectiveDealStatus::Stored(deal.status);
        let shown = tables.events.get(deal.event).map_or(left, |event| deal.effective_status(event, self.now));
        let side = |partner: &PartnerId| deal.agent == *partner || deal.organizer == *partner;
        self.caller_partners.iter().any(side)
            && self.partner.as_ref().is_none_or(side)
            && self.event.is_none_or(|event| event == deal.event)
            && self.ids.as_ref().is_none_or(|ids| ids.contains(&deal.id))
            && self.status.as_ref().is_none_or(|list| list.contains(&shown))
    }

    fn compare(&self, one: &Deal, other: &Deal) -> Ordering {
        newest_first(&one.id, &other.id)
    }
}
