//! Refund requests: tickets of a paid order that shall be given back, and what money for them
//! (decisions §9).

mod amounts;
mod cancellation;
mod create;
mod policy;
mod refusal;
mod update;

pub use amounts::RefundAmounts;
pub use cancellation::RefundCanceledEvent;
pub(crate) use cancellation::schedule_refunds;
pub use create::{CreateRefundRequest, RefundTickets};
pub(crate) use policy::effective_policy;
pub use policy::{DAYS_BEFORE_MAX, RefundPolicy, RefundPolicyPatch};
pub use refusal::RefundRefusal;
pub use update::{RefundTransition, UpdateRefundRequest};

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::event::EventId;
use crate::id::Id;
use crate::money::Money;
use crate::order::{Order, OrderId, OrderLine, PaymentSystem};
use crate::partner::PartnerId;
use crate::refusal::Refusal;
use crate::ticket::{Ticket, TicketId, TicketState};
use crate::time::Timestamp;
use crate::view::{Row, View};

/// The id of a refund request.
pub type RefundId = Id<RefundRequest>;

/// Whose doing it is that a ticket is given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Culprit {
    /// The customer's: it gets back what the policy at sale leaves it of the nominal price.
    Customer,
    /// The organizer's: the customer gets back all that it paid.
    Organizer,
}

impl Culprit {
    /// Every culprit, for documents.
    pub const ALL: [Self; 2] = [Self::Customer, Self::Organizer];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Customer => "user",
            Self::Organizer => "org",
        }
    }
}

/// Where a request is in its life, with what only then exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefundStatus {
    /// Nobody has decided.
    New,
    /// The money is on its way.
    InProgress,
    /// The tickets are on sale again, and the money is the customer's.
    Approved {
        /// When.
        at: Timestamp,
    },
    /// The order keeps the tickets.
    Rejected {
        /// When.
        at: Timestamp,
    },
}

/// The bare name of a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RefundState {
    /// Nobody has decided.
    New,
    /// The money is on its way.
    InProgress,
    /// Granted.
    Approved,
    /// Not granted.
    Rejected,
}

impl RefundState {
    /// Every state, for documents and filters.
    pub const ALL: [Self; 4] = [Self::New, Self::InProgress, Self::Approved, Self::Rejected];

    /// Its name, which is also how it is stored.
    pub fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::InProgress => "in_progress",
            Self::Approved => "approved",
            Self::Rejected => "rejected",
        }
    }
}

impl fmt::Display for RefundState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A ticket of a request: as it was in the order, and what is given back for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefundLine {
    /// The line that leaves the order.
    #[serde(flatten)]
    pub line: OrderLine,
    /// What is given back, and by whom.
    pub amounts: RefundAmounts,
}

/// A refund request. While it is open, no other can take its tickets: each is marked with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundRequest {
    /// The id.
    pub id: RefundId,
    /// The order whose tickets it takes.
    pub order: OrderId,
    /// The order's event.
    pub event: EventId,
    /// The event's organizer, which decides.
    pub organizer: PartnerId,
    /// Who sold.
    pub vendor: PartnerId,
    /// Whose doing it is.
    pub culprit: Culprit,
    /// Where it is in its life.
    pub status: RefundStatus,
    /// Its tickets.
    pub lines: Vec<RefundLine>,
    /// The other tickets that the order had when the request was made.
    pub other_tickets: Vec<TicketId>,
    /// The policy at sale.
    pub policy: RefundPolicy,
    /// How the order was paid.
    pub payment_system: Option<PaymentSystem>,
    /// When the customer asked.
    pub requested_at: Timestamp,
    /// What somebody wrote about it.
    pub reason: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Counts changes.
    pub revision: i64,
}

/// What a new request says, besides its tickets.
struct RefundRequestDetails {
    culprit: Culprit,
    at: Timestamp,
    reason: Option<String>,
}

impl RefundRequest {
    /// The bare name of its status.
    pub fn state(&self) -> RefundState {
        match self.status {
            RefundStatus::New => RefundState::New,
            RefundStatus::InProgress => RefundState::InProgress,
            RefundStatus::Approved { .. } => RefundState::Approved,
            RefundStatus::Rejected { .. } => RefundState::Rejected,
        }
    }

    /// Whether it is still to be decided: nobody else can take its tickets.
    pub fn is_open(&self) -> bool {
        matches!(self.status, RefundStatus::New | RefundStatus::InProgress)
    }

    /// When it was decided.
    pub fn finished_at(&self) -> Option<Timestamp> {
        match self.status {
            RefundStatus::Approved { at } | RefundStatus::Rejected { at } => Some(at),
            RefundStatus::New | RefundStatus::InProgress => None,
        }
    }

    /// What is given back for all its tickets, and by whom.
    pub fn amounts(&self) -> RefundAmounts {
        self.lines.iter().map(|line| line.amounts).sum()
    }

    /// The ids of its tickets.
    pub fn tickets(&self) -> impl Iterator<Item = TicketId> {
        self.lines.iter().map(|line| line.line.ticket)
    }

    /// What was paid for its tickets.
    pub fn paid(&self) -> Money {
        self.lines.iter().map(|line| line.line.price.full()).sum()
    }

    /// Opens a request for these lines of a paid order, whose tickets no other request has.
    fn open(
        order: &Order,
        lines: &[OrderLine],
        asked: RefundRequestDetails,
        cx: &mut Context<'_>,
        view: &mut View,
    ) -> Result<Self, Refusal> {
        let RefundRequestDetails { culprit, at, reason } = asked;
        let rest = order.lines.iter().filter(|line| !lines.iter().any(|taken| taken.ticket == line.ticket));
        let mut request = Self {
            id: cx.id_with_tag(order.event.tag()),
            order: order.id,
            event: order.event,
            organizer: order.organizer,
            vendor: order.vendor,
            culprit,
            status: RefundStatus::New,
            lines: Vec::new(),
            other_tickets: rest.map(|line| line.ticket).collect(),
            policy: order.refund_policy,
            payment_system: order.payment.system,
            requested_at: at,
            reason,
            created_at: cx.now,
            updated_at: cx.now,
            revision: 1,
        };
        request.compute_amounts(lines, order);
        request.mark_tickets(Some(request.id), view)?;
        view.refunds.put(request.clone());
        Ok(request)
    }

    /// Says what is given back for each of these lines.
    fn compute_amounts(&mut self, lines: &[OrderLine], order: &Order) {
        let back = |line: &OrderLine| match self.culprit {
            Culprit::Customer => {
                RefundAmounts::nominal_refund(&line.price, order.terms.platform_fee_on_top, self.policy.retained)
            }
            Culprit::Organizer => RefundAmounts::full_refund(&line.price),
        };
        self.lines = lines.iter().map(|line| RefundLine { line: *line, amounts: back(line) }).collect();
    }

    /// Marks its tickets as those of an open request, or of none.
    fn mark_tickets(&self, open: Option<RefundId>, view: &mut View) -> Result<(), Refusal> {
        for line in &self.lines {
            let mut ticket = view.tickets.get(line.line.ticket).ok_or(Refusal::Stale)?.clone();
            match &mut ticket.state {
                TicketState::Sold { order, refund, .. } if *order == self.order => *refund = open,
                TicketState::Sold { .. } | TicketState::Vacant | TicketState::Held { .. } | TicketState::Blocked => {
                    return Err(Refusal::Stale);
                }
            }
            view.tickets.put(ticket);
        }
        Ok(())
    }

    fn touch(&mut self, now: Timestamp) {
        self.updated_at = now;
        self.revision += 1;
    }
}

/// The open request that has a ticket.
fn open_request_of(ticket: TicketId, view: &View) -> Option<RefundId> {
    view.tickets.get(ticket).and_then(Ticket::refund)
}

impl Row for RefundRequest {
    type Key = RefundId;

    fn key(&self) -> RefundId {
        self.id
    }
}
