//! Where an order is in its life.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::values::time::Timestamp;

/// Where an order is in its life, with what only then exists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "is")]
pub enum OrderStatus {
    /// Holds tickets.
    #[serde(rename = "executed")]
    Reserved,
    /// Holds tickets and awaits the money.
    #[serde(rename = "in_progress")]
    AwaitingPayment,
    /// Paid.
    #[serde(rename = "done")]
    Paid {
        /// When.
        at: Timestamp,
        /// Eight letters and digits that its customer can show.
        code: String,
    },
    /// Given up; keeps showing what it held.
    Canceled,
    /// Lapsed; keeps showing what it held. Late money may still save it.
    Expired,
    /// Was paid, and has given all its tickets back.
    Refunded {
        /// When the last one went.
        at: Timestamp,
        /// When it was paid.
        paid_at: Timestamp,
        /// The code of the paid order.
        code: String,
    },
}

/// The bare name of a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrderStatusKind {
    /// Holds tickets.
    #[serde(rename = "executed")]
    Reserved,
    /// Awaits the money.
    #[serde(rename = "in_progress")]
    AwaitingPayment,
    /// Paid.
    #[serde(rename = "done")]
    Paid,
    /// Given up.
    Canceled,
    /// Lapsed.
    Expired,
    /// Given back.
    Refunded,
}

impl OrderStatusKind {
    /// Every state, for documents and filters.
    pub const ALL: [Self; 6] =
        [Self::Reserved, Self::AwaitingPayment, Self::Paid, Self::Canceled, Self::Expired, Self::Refunded];

    /// Its name, which is also how it is stored.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reserved => "executed",
            Self::AwaitingPayment => "in_progress",
            Self::Paid => "done",
            Self::Canceled => "canceled",
            Self::Expired => "expired",
            Self::Refunded => "refunded",
        }
    }
}

impl fmt::Display for OrderStatusKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
