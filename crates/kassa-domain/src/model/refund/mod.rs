//! Refund requests: tickets of a paid order that shall be given back, and the money for them.

mod amounts;

pub use amounts::RefundAmounts;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::model::order::{OrderLine, PaymentSystem};
use crate::model::row::Row;
use crate::values::money::Money;
use crate::values::refund_policy::RefundPolicy;
use crate::values::resource_ids::{EventId, OrderId, PartnerId, RefundId, TicketId};
use crate::values::revision::Revision;
use crate::values::time::Timestamp;

/// Whose doing it is that a ticket is given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Culprit {
    /// The customer's: it gets back what the policy at sale leaves it of the nominal price.
    Customer,
    /// The organizer's: the customer gets back all that it paid.
    Organizer,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefundStatusKind {
    /// Nobody has decided.
    New,
    /// The money is on its way.
    InProgress,
    /// Granted.
    Approved,
    /// Not granted.
    Rejected,
}

impl RefundStatusKind {
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

impl fmt::Display for RefundStatusKind {
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
    pub revision: Revision,
}

impl RefundRequest {
    /// The bare name of its status.
    pub fn state(&self) -> RefundStatusKind {
        match self.status {
            RefundStatus::New => RefundStatusKind::New,
            RefundStatus::InProgress => RefundStatusKind::InProgress,
            RefundStatus::Approved { .. } => RefundStatusKind::Approved,
            RefundStatus::Rejected { .. } => RefundStatusKind::Rejected,
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
}

impl Row for RefundRequest {
    type Key = RefundId;

    fn key(&self) -> RefundId {
        self.id
    }
}
