//! Promotions.

use kassa_domain::event::EventId;
use kassa_domain::promotion::{Promotion, PromotionId};

use super::partners::root_key;
use super::{Conditions, Filter};

/// Promotions of an event, newest first; the caller has seen to it that they may be shown.
#[derive(Clone, Debug)]
pub struct PromotionsFilter {
    /// Of which event.
    pub event: EventId,
    /// Only these.
    pub ids: Option<Vec<PromotionId>>,
    /// Whether removed ones are shown, too.
    pub include_removed: bool,
}

impl Filter for PromotionsFilter {
    type Row = Promotion;
    const ORDER: &'static str = "id DESC";

    fn conditions(&self, sql: &mut Conditions) {
        sql.add("event = ?", [root_key(self.event).into()]);
        if let Some(list) = &self.ids {
            sql.one_of_ids(list);
        }
        if !self.include_removed {
            sql.add("removed = 0", []);
        }
    }
}
