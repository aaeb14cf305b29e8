//! The status of an order, as version 2 names it.

use kassa_domain::order::OrderStatusKind;

use crate::wire::enum_names;

enum_names! {
    /// `canceled` is how version 1 spells it.
    pub(super) static ORDER_STATUSES: OrderStatusKind {
        Reserved => "executed",
        AwaitingPayment => "in_progress",
        Paid => "done",
        Canceled => "cancelled" | "canceled",
        Expired => "expired",
        Refunded => "refunded",
    }
}
