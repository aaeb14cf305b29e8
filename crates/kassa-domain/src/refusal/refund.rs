//! Why tickets are not given back.

use crate::model::order::OrderStatusKind;
use crate::model::refund::RefundStatusKind;
use crate::values::resource_ids::{OrderId, RefundId};

/// A reason to refuse a refund request, or what is to become of it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RefundRefusal {
    /// The order does not exist, or the caller does not see it.
    #[error("Order {0} not found")]
    OrderUnknown(OrderId),
    /// Only what was paid is given back.
    #[error("Order {order} is {status}: only tickets of a paid order can be returned")]
    OrderNotPaid {
        /// Which.
        order: OrderId,
        /// Where it is.
        status: OrderStatusKind,
    },
    /// The request names no ticket to give back.
    #[error("Name at least one ticket to return")]
    NoTickets,
    /// The request keeps all tickets of the order.
    #[error("All tickets of the order would be kept: leave out those to return")]
    AllTicketsKept,
    /// A ticket is not in the order, or is named twice.
    #[error("A ticket is not in the order, or is named twice")]
    InvalidTickets,
    /// A ticket is in another request that is still open.
    #[error("A ticket is in another open refund request")]
    TicketsTaken,
    /// The customer cannot have asked then.
    #[error("requested_at must lie between the payment of the order and now")]
    InvalidRequestTime,
    /// The policy takes no tickets back once the event has started.
    #[error("The refund policy takes no tickets back from customers once the event has started")]
    EventStarted,
    /// No customer gives tickets to an event back that is over.
    #[error("Customers cannot return tickets once the event is over")]
    EventEnded,
    /// The policy takes tickets back earlier than that.
    #[error("The refund policy requires customers to ask at least {0} days before the event starts")]
    TooLate(u32),
    /// Who has called an event off owes all that was paid.
    #[error("The event is canceled: culprit must be org")]
    OrganizerCulpritOnly,
    /// The event is over: what a customer asked for is not granted any more.
    #[error("The event is over: what a customer asked for cannot be approved any more")]
    EventFinished,
    /// A request in this status is not approved.
    #[error("A refund request that is {0} cannot be approved")]
    CannotApprove(RefundStatusKind),
    /// A request that was decided is not rejected.
    #[error("Refund request {0} is decided: it cannot be rejected")]
    CannotReject(RefundId),
    /// The payment of a request in this status does not begin.
    #[error("A refund request that is {0} cannot become in_progress")]
    CannotBeginPayment(RefundStatusKind),
    /// A request in this status does not become new again.
    #[error("A refund request that is {0} cannot become new")]
    CannotReopen(RefundStatusKind),
}

impl RefundRefusal {
    /// The stable code.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::OrderUnknown(_) => "order_not_found",
            Self::OrderNotPaid { .. } => "order_not_done",
            Self::NoTickets | Self::AllTicketsKept => "refund_empty",
            Self::InvalidTickets => "refund_bad_tickets",
            Self::TicketsTaken => "refund_tickets_taken",
            Self::InvalidRequestTime => "refund_requested_at",
            Self::EventStarted => "refund_event_started",
            Self::EventEnded => "refund_event_ended",
            Self::TooLate(_) => "refund_too_late",
            Self::OrganizerCulpritOnly => "refund_org_only",
            Self::EventFinished => "refund_event_finished",
            Self::CannotApprove(_) | Self::CannotReject(_) | Self::CannotBeginPayment(_) | Self::CannotReopen(_) => {
                "refund_transition"
            }
        }
    }
}
