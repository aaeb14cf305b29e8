//! What passes the filters of queries/promocodes.rs, and in which order.

use std::cmp::Ordering;

use super::newest_first;
use crate::memory_tables::{FilterInMemory, MemoryTables};
use crate::queries::PromocodesFilter;
use kassa_domain::promocode::Promocode;

impl FilterInMemory<Promocode> for PromocodesFilter {
    fn matches(&self, promocode: &Promocode, _: &MemoryTables) -> bool {
        promocode.event == self.event && self.ids.as_ref().is_none_or(|ids| ids.contains(&promocode.id))
    }

    fn compare(&self, one: &Promocode, other: &Promocode) -> Ordering {
        newest_first(&one.id, &other.id)
    }
}
