//! A new refund request.

use super::request::{RefundRequestDetails, open_request_of};
use crate::context::Context;
use crate::context::command::Command;
use crate::model::event::{DEFAULT_TICKETS_LIMIT, Event, EventStatus};
use crate::model::order::{Order, OrderLine, OrderStatus};
use crate::model::refund::{Culprit, RefundRequest};
use crate::permission;
use crate::refusal::{RefundRefusal, Refusal};
use crate::values::id::ShardTag;
use crate::values::resource_ids::{EventId, OrderId, TicketId};
use crate::values::time::Timestamp;
use crate::view::{ReadSet, View};

/// Which tickets of an order a request takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefundTickets {
    /// These.
    Tickets(Vec<TicketId>),
    /// All but these.
    AllExcept(Vec<TicketId>),
}

impl RefundTickets {
    /// The lines of the order that leave it.
    fn lines(&self, order: &Order) -> Result<Vec<OrderLine>, RefundRefusal> {
        let (Self::Tickets(named) | Self::AllExcept(named)) = self;
        let is_own = |ticket: &TicketId| order.lines.iter().any(|line| line.ticket == *ticket);
        let is_again = |at: usize| named[..at].contains(&named[at]);
        // An order has few tickets: more than those are not looked through.
        if named.len() > order.lines.len() || !named.iter().all(is_own) || (0..named.len()).any(is_again) {
            return Err(RefundRefusal::InvalidTickets);
        }
        let lines = order.lines.iter().copied();
        match self {
            Self::Tickets(named) if named.is_empty() => Err(RefundRefusal::NoTickets),
            Self::Tickets(named) => Ok(lines.filter(|line| named.contains(&line.ticket)).collect()),
            Self::AllExcept(named) if named.len() == order.lines.len() => Err(RefundRefusal::AllTicketsKept),
            Self::AllExcept(named) => Ok(lines.filter(|line| !named.contains(&line.ticket)).collect()),
        }
    }
}

/// Asks that tickets of a paid order be given back: its vendor does, or the organizer.
#[derive(Debug)]
pub struct CreateRefundRequest {
    /// Whose tickets.
    pub order: OrderId,
    /// Its event, which never changes.
    pub event: EventId,
    /// Whose doing it is.
    pub culprit: Culprit,
    /// Which tickets.
    pub tickets: RefundTickets,
    /// When the customer asked, if not now.
    pub requested_at: Option<Timestamp>,
    /// A word about it.
    pub reason: Option<String>,
}

impl Command for CreateRefundRequest {
    type Outcome = RefundRequest;

    fn shard(&self) -> ShardTag {
        self.event.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.orders.push(self.order);
        // The cancellation of an event meets requests at its sets.
        read_set.sets_of.push(self.event);
        read_set.tickets_held_by.push(self.order);
        read_set.events.push(self.event);
    }

    fn weight(&self) -> u32 {
        8 + DEFAULT_TICKETS_LIMIT
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<RefundRequest, Refusal> {
        cx.actor.require_credential()?;
        let order = view.orders.get(self.order).filter(|order| permission::sees_order(cx.actor, order));
        let order = order.ok_or(RefundRefusal::OrderUnknown(self.order))?.clone();
        permission::request_refund(cx.actor, &order)?;
        let OrderStatus::Paid { at: paid_at, .. } = order.status else {
            return Err(RefundRefusal::OrderNotPaid { order: order.id, status: order.state() }.into());
        };
        let lines = self.tickets.lines(&order)?;
        if lines.iter().any(|line| open_request_of(line.ticket, view).is_some()) {
            return Err(RefundRefusal::TicketsTaken.into());
        }
        let event = view.events.get(order.event).ok_or(Refusal::Stale)?;
        let at = self.checked_request_time(paid_at, cx.now)?;
        self.check_may_request(&order, event, at, cx.now)?;
        let asked = RefundRequestDetails { culprit: self.culprit, at, reason: self.reason.clone() };
        RefundRequest::open(&order, &lines, asked, cx, view)
    }
}

impl CreateRefundRequest {
    /// Both versions of the interface show times in whole seconds.
    fn checked_request_time(&self, paid_at: Timestamp, now: Timestamp) -> Result<Timestamp, RefundRefusal> {
        let at = self.requested_at.unwrap_or(now);
        if paid_at.whole_second() <= at && at <= now { Ok(at) } else { Err(RefundRefusal::InvalidRequestTime) }
    }

    fn check_may_request(
        &self,
        order: &Order,
        event: &Event,
        at: Timestamp,
        now: Timestamp,
    ) -> Result<(), RefundRefusal> {
        match self.culprit {
            Culprit::Customer if event.status == EventStatus::Canceled => Err(RefundRefusal::OrganizerCulpritOnly),
            Culprit::Customer => order.refund_policy.check_request(at, event, now),
            // What the organizer owes it owes at any time.
            Culprit::Organizer => Ok(()),
        }
    }
}
