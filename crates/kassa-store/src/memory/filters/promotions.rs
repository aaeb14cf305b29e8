//! What passes the filters of queries/promotions.rs, and in which order.

use std::cmp::Ordering;

use super::newest_first;
use crate::memory_tables::{FilterInMemory, MemoryTables};
use crate::queries::PromotionsFilter;
use kassa_domain::promotion::Promotion;

impl FilterInMemory<Promotion> for PromotionsFilter {
    fn matches(&self, promotion: &Promotion, _: &MemoryTables) -> bool {
        promotion.event == self.event
            && self.ids.as_ref().is_none_or(|ids| ids.contains(&promotion.id))
            && (self.include_removed || !promotion.removed)
    }

    fn compare(&self, one: &Promotion, other: &Promotion) -> Ordering {
        newest_first(&one.id, &other.id)
    }
}
