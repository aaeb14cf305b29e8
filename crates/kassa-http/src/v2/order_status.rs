//! The status of an order, as version 2 names it.

use kassa_domain::order::OrderStatusKind;

/// The name of a status in version 2.
pub(super) fn order_status_name(kind: OrderStatusKind) -> &'static str {
    match kind {
        OrderStatusKind::Canceled => "cancelled",
        OrderStatusKind::Reserved
        | OrderStatusKind::AwaitingPayment
        | OrderStatusKind::Paid
        | OrderStatusKind::Expired
        | OrderStatusKind::Refunded => kind.name(),
    }
}
