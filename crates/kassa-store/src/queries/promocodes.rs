//! Promocodes.

use std::cmp::Ordering;

use kassa_domain::event::EventId;
use kassa_domain::promocode::{Promocode, PromocodeId};

use super::partners::root_key;
use super::{Conditions, Filter, newest_first};
use crate::memory::MemoryTables;

/// Promocodes of an event, newest first; the caller has seen to it that they may be shown.
#[derive(Clone, Debug)]
pub struct PromocodesFilter {
    /// Of which event.
    pub event: EventId,
    /// Only these.
    pub ids: Option<Vec<PromocodeId>>,
}

impl Filter for PromocodesFilter {
    type Row = Promocode;
    const ORDER: &'static str = "id DESC";

    fn conditions(&self, sql: &mut Conditions) {
        sql.add("event = ?", [root_key(self.event).into()]);
        if let Some(list) = &self.ids {
            sql.one_of_ids(list);
        }
    }

    fn matches(&self, promocode: &Promocode, _: &MemoryTables) -> bool {
        promocode.event == self.event && self.ids.as_ref().is_none_or(|ids| ids.contains(&promocode.id))
    }

    fn compare(&self, one: &Promocode, other: &Promocode) -> Ordering {
        newest_first(&one.id, &other.id)
    }
}
