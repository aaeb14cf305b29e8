//! A new refund request.

use super::{Asked, Culprit, RefundRefusal, RefundRequest, request_of};
use crate::command::Command;
use crate::context::Context;
use crate::event::{Event, EventId, EventStatus, TICKETS_LIMIT};
use crate::id::Tag;
use crate::order::{Line, Order, OrderId, OrderStatus};
use crate::permission;
use crate::refusal::Refusal;
use crate::ticket::TicketId;
use crate::time::Timestamp;
use crate::view::{Needs, View};

/// Which tickets of an order a request takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefundOf {
    /// These.
    Tickets(Vec<TicketId>),
    /// All but these.
    AllBut(Vec<TicketId>),
}

impl RefundOf {
    /// The lines of the order that leave it.
    fn lines(&self, order: &Order) -> Result<Vec<Line>, RefundRefusal> {
        let (Self::Tickets(named) | Self::AllBut(named)) = self;
        let is_own = |ticket: &TicketId| order.lines.iter().any(|line| line.ticket == *ticket);
        let is_again = |at: usize| named[..at].contains(&named[at]);
        // An order has few tickets: more than those are not looked through.
        if named.len() > order.lines.len() || !named.iter().all(is_own) || (0..named.len()).any(is_again) {
            return Err(RefundRefusal::BadTickets);
        }
        let lines = order.lines.iter().copied();
        match self {
            Self::Tickets(named) if named.is_empty() => Err(RefundRefusal::NoTickets),
            Self::Tickets(named) => Ok(lines.filter(|line| named.contains(&line.ticket)).collect()),
            Self::AllBut(named) if named.len() == order.lines.len() => Err(RefundRefusal::AllKept),
            Self::AllBut(named) => Ok(lines.filter(|line| !named.contains(&line.ticket)).collect()),
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
    pub tickets: RefundOf,
    /// When the customer asked, if not now.
    pub requested_at: Option<Timestamp>,
    /// A word about it.
    pub reason: Option<String>,
}

impl Command for CreateRefundRequest {
    type Outcome = RefundRequest;

    fn shard(&self) -> Tag {
        self.event.tag()
    }

    fn needs(&self, needs: &mut Needs) {
        needs.orders.push(self.order);
        // The cancellation of an event meets requests at its sets.
        needs.sets_of.push(self.event);
        needs.held_by.push(self.order);
        needs.events.push(self.event);
    }

    fn weight(&self) -> u32 {
        8 + TICKETS_LIMIT
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<RefundRequest, Refusal> {
        cx.actor.known()?;
        let order = view.orders.get(self.order).filter(|order| permission::sees_order(cx.actor, order));
        let order = order.ok_or(RefundRefusal::OrderUnknown(self.order))?.clone();
        permission::ask_for_refund(cx.actor, &order)?;
        let OrderStatus::Done { at: paid_at, .. } = order.status else {
            return Err(RefundRefusal::OrderNotDone { order: order.id, status: order.state() }.into());
        };
        let lines = self.tickets.lines(&order)?;
        if lines.iter().any(|line| request_of(line.ticket, view).is_some()) {
            return Err(RefundRefusal::TicketsTaken.into());
        }
        let event = view.events.get(order.event).ok_or(Refusal::Stale)?;
        let at = self.asked_at(paid_at, cx.now)?;
        self.may_ask(&order, event, at, cx.now)?;
        let asked = Asked { culprit: self.culprit, at, reason: self.reason.clone() };
        RefundRequest::open(&order, &lines, asked, cx, view)
    }
}

impl CreateRefundRequest {
    /// Versions of the interface tell times in whole seconds.
    fn asked_at(&self, paid_at: Timestamp, now: Timestamp) -> Result<Timestamp, RefundRefusal> {
        let at = self.requested_at.unwrap_or(now);
        if paid_at.whole_second() <= at && at <= now { Ok(at) } else { Err(RefundRefusal::RequestedAt) }
    }

    fn may_ask(&self, order: &Order, event: &Event, at: Timestamp, now: Timestamp) -> Result<(), RefundRefusal> {
        match self.culprit {
            Culprit::User if event.status == EventStatus::Canceled => Err(RefundRefusal::OrgOnly),
            Culprit::User => order.refund_policy.check(at, event, now),
            // What the organizer owes it owes at any time.
            Culprit::Org => Ok(()),
        }
    }
}
