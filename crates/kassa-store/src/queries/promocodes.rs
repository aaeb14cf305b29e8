//! Promocodes.

use kassa_domain::event::EventId;
use kassa_domain::promocode::{Promocode, PromocodeId};

use super::partners::root_key;
use super::{Conditions, Filter};

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
}
