//! A price in time.

use serde::{Deserialize, Serialize};

use crate::values::money::Money;
use crate::values::resource_ids::PriceRuleId;
use crate::values::time::Window;

/// A price, and when it holds. Whole seconds, as its iCalendar form shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PriceRule {
    /// The id.
    pub id: PriceRuleId,
    /// When it holds.
    pub window: Window,
    /// Whether it ends when the event does, and moves with it.
    pub ends_with_event: bool,
    /// What a ticket costs before any deal.
    pub price: Money,
    /// Whether a ticket was ever held under it: from then on it does not change.
    pub has_sold: bool,
}
