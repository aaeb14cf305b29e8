//! The money of tickets that have left a paid order.

use serde::{Deserialize, Serialize};

use crate::values::money::Money;

/// Money of tickets that have left a paid order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefundTotals {
    /// What was paid for them.
    pub paid: Money,
    /// What of it was given back.
    pub returned: Money,
}

impl RefundTotals {
    /// Whether there is no money in it.
    pub fn is_zero(&self) -> bool {
        *self == Self::default()
    }

    /// What was kept.
    pub fn retained(&self) -> Money {
        self.paid - self.returned
    }
}
