//! The status of an order, as version 2 names it.

use kassa_domain::order::OrderStatusKind;

use crate::wire::enum_names;

/// The status that clients of version 2 know: a refunded order goes on being done, and its sums say what was given back
/// (decisions §7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OrderStatusV2 {
    Reserved,
    AwaitingPayment,
    Paid,
    Canceled,
    Expired,
}

impl From<OrderStatusKind> for OrderStatusV2 {
    fn from(kind: OrderStatusKind) -> Self {
        match kind {
            OrderStatusKind::Reserved => Self::Reserved,
            OrderStatusKind::AwaitingPayment => Self::AwaitingPayment,
            OrderStatusKind::Paid | OrderStatusKind::Refunded => Self::Paid,
            OrderStatusKind::Canceled => Self::Canceled,
            OrderStatusKind::Expired => Self::Expired,
        }
    }
}

impl OrderStatusV2 {
    /// The states of orders that are shown with it.
    fn kinds(self) -> &'static [OrderStatusKind] {
        match self {
            Self::Reserved => &[OrderStatusKind::Reserved],
            Self::AwaitingPayment => &[OrderStatusKind::AwaitingPayment],
            Self::Paid => &[OrderStatusKind::Paid, OrderStatusKind::Refunded],
            Self::Canceled => &[OrderStatusKind::Canceled],
            Self::Expired => &[OrderStatusKind::Expired],
        }
    }

    /// The states of orders that are shown with one of these.
    pub(super) fn kinds_of(statuses: impl IntoIterator<Item = Self>) -> Vec<OrderStatusKind> {
        statuses.into_iter().flat_map(Self::kinds).copied().collect()
    }
}

enum_names! {
    /// `canceled` is how version 1 spells it.
    pub(super) static ORDER_STATUSES: OrderStatusV2 {
        Reserved => "executed",
        AwaitingPayment => "in_progress",
        Paid => "done",
        Canceled => "cancelled" | "canceled",
        Expired => "expired",
    }
}

/// The name of an order's status.
pub(super) fn order_status_name(kind: OrderStatusKind) -> &'static str {
    ORDER_STATUSES.name(kind.into())
}
