//! Why tickets are not given back.

use crate::model::order::OrderStatusKind;
use crate::model::refund::RefundStatusKind;
use crate::values::resource_ids::{OrderId, RefundId};

/// A reason to refuse a refund request, or what is to become of it.
// The sentences are those that clients of this interface know (api-facts §5.6), where there is one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RefundRefusal {
    /// The order does not exist, or the caller does not see it.
    #[error("Order {0} not found")]
    OrderUnknown(OrderId),
    /// Only what was paid is given back.
    #[error("wrong order (id: {order}) status: {status}")]
    OrderNotPaid {
        /// Which.
        order: OrderId,
        /// Where it is.
        status: OrderStatusKind,
    },
    /// The request names no ticket to give back.
    #[error("tickets list length is less than 1")]
    NoTickets,
    /// The request keeps all tickets of the order.
    #[error("Empty tickets for refund")]
    AllTicketsKept,
    /// A ticket is not in the order, or is named twice.
    #[error("bad tickets")]
    InvalidTickets,
    /// A ticket is in another request that is still open.
    #[error("Some tickets already use in another refund request")]
    TicketsTaken,
    /// The customer cannot have asked then.
    #[error("requested_at must lie between the payment of the order and now")]
    InvalidRequestTime,
    /// The policy takes no tickets back once the event has started.
    #[error("Operation failed: Event started, and no after_event_start setting.")]
    EventStarted,
    /// No customer gives tickets to an event back that is over.
    #[error("Operation failed: Event ended, and no after_event_end setting.")]
    EventEnded,
    /// The policy takes tickets back earlier than that.
    #[error("Operation failed: customers give tickets back at least {0} days before the event starts")]
    TooLate(u32),
    /// Who has called an event off owes all that was paid.
    #[error("Only org culprit allowed for cancelled events")]
    OrganizerCulpritOnly,
    /// The event is over: what a customer asked for is not granted any more.
    #[error("Not allowed to approve refund for finished event")]
    EventFinished,
    /// A request in this status is not approved.
    #[error("RefundRequest in wrong status `{0}` for approve")]
    CannotApprove(RefundStatusKind),
    /// A request that was decided is not rejected.
    #[error("Failed to reject refund request {0}")]
    CannotReject(RefundId),
    /// The payment of a request in this status does not begin.
    #[error("Incorrect status {0} for this operation")]
    CannotBeginPayment(RefundStatusKind),
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
            Self::CannotApprove(_) | Self::CannotReject(_) | Self::CannotBeginPayment(_) => "refund_transition",
        }
    }
}
