//! Orders: their life from reservation to payment (decisions §7).

mod create;
mod customer;
mod edit;
mod expire;
mod export;
mod hold;
mod notes;
mod payment;
mod promocodes;
mod promotions;
mod refund;
mod reprice;
mod update;
mod visitors;

pub use create::CreateOrder;
pub use customer::{Customer, CustomerPatch};
pub use edit::{OrderEdit, Step};
pub use expire::ExpireOrder;
pub use export::{ExportOrders, Exported};
pub use hold::Wanted;
pub use notes::{Notes, NotesPatch, Origin, RAW_MAX, Scalar, VendorData, Visitor};
pub use payment::{Payment, PaymentPatch, PaymentSystem};
pub use promocodes::{PROMOCODES_MAX, Unusable};
pub use promotions::{PROMISES_MAX, Promise};
pub use refund::Refunded;
pub use reprice::CutPrice;
pub use update::UpdateOrder;
pub use visitors::{SetVisitors, Visiting};

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::deal::DealId;
use crate::event::EventId;
use crate::id::Id;
use crate::money::Money;
use crate::partner::PartnerId;
use crate::price::{Price, Terms};
use crate::promocode::PromocodeId;
use crate::promotion::PromotionId;
use crate::refund::RefundPolicy;
use crate::refusal::{Refusal, Shortfall};
use crate::set::{RuleId, SetId};
use crate::ticket::TicketId;
use crate::time::Timestamp;
use crate::view::Row;

/// The id of an order.
pub type OrderId = Id<Order>;

/// Minutes that an order holds its tickets once its payment has begun.
pub const PAYMENT_MINUTES: u32 = 30;

/// Where an order is in its life, with what only then exists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "is")]
pub enum OrderStatus {
    /// Holds tickets.
    Executed,
    /// Holds tickets and awaits the money.
    InProgress,
    /// Paid.
    Done {
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
pub enum OrderState {
    /// Holds tickets.
    Executed,
    /// Awaits the money.
    InProgress,
    /// Paid.
    Done,
    /// Given up.
    Canceled,
    /// Lapsed.
    Expired,
    /// Given back.
    Refunded,
}

impl OrderState {
    /// Every state, for documents and filters.
    pub const ALL: [Self; 6] =
        [Self::Executed, Self::InProgress, Self::Done, Self::Canceled, Self::Expired, Self::Refunded];

    /// Its name in v1, which is also how it is stored.
    pub fn name(self) -> &'static str {
        match self {
            Self::Executed => "executed",
            Self::InProgress => "in_progress",
            Self::Done => "done",
            Self::Canceled => "canceled",
            Self::Expired => "expired",
            Self::Refunded => "refunded",
        }
    }

    /// Its name in v2, and in exports.
    pub fn name_in_v2(self) -> &'static str {
        match self {
            Self::Canceled => "cancelled",
            Self::Executed | Self::InProgress | Self::Done | Self::Expired | Self::Refunded => self.name(),
        }
    }
}

impl fmt::Display for OrderState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One ticket of an order, with its price as it was when it was reserved. Lines outlast the hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// The ticket.
    pub ticket: TicketId,
    /// Its number in the event.
    pub number: i64,
    /// Its set.
    pub set: SetId,
    /// The price rule that was in force.
    pub rule: RuleId,
    /// The promocode that makes it cheaper.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promocode: Option<PromocodeId>,
    /// The promotion that makes it cheaper, where no promocode does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promotion: Option<PromotionId>,
    /// What it costs, and who gets how much.
    pub price: Price,
}

/// An order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// The id.
    pub id: OrderId,
    /// Its event.
    pub event: EventId,
    /// The event's organizer.
    pub org: PartnerId,
    /// Who sells.
    pub vendor: PartnerId,
    /// Unique; grows roughly with time.
    pub number: i64,
    /// Where it is in its life.
    pub status: OrderStatus,
    /// Until when it holds its tickets, or held them.
    pub reserved_till: Timestamp,
    /// Its tickets.
    pub lines: Vec<Line>,
    /// The promocodes that it names, in the order in which they were named: a live order holds a use of
    /// each, a paid one has used each up.
    pub promocodes: Vec<PromocodeId>,
    /// The promotions that it was promised, in the order in which it was.
    pub promises: Vec<Promise>,
    /// The deal it is sold under; none when the organizer sells its own event.
    pub deal: Option<DealId>,
    /// The terms of the sale.
    pub terms: Terms,
    /// What is kept of tickets that the customer gives back: as it was when the order was made.
    pub refund_policy: RefundPolicy,
    /// Money of tickets that it has given back.
    pub refunded: Refunded,
    /// Who buys.
    pub customer: Customer,
    /// How it is paid.
    pub payment: Payment,
    /// By which door it came in.
    pub origin: Origin,
    /// What is kept with it.
    pub notes: Notes,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Counts changes.
    pub revision: i64,
}

/// Sums over the lines of an order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Values {
    /// Before discounts.
    pub price: Money,
    /// Taken off.
    pub discount: Money,
    /// `price - discount`.
    pub nominal: Money,
    /// On top.
    pub extra: Money,
    /// What the customer pays: `nominal + extra`.
    pub full: Money,
}

/// Who gets how much of what the customers pay: together they are `full`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Split {
    /// The organizer.
    pub org: Money,
    /// The agent.
    pub agent: Money,
    /// The platform.
    pub core: Money,
}

impl Order {
    /// The bare name of its status.
    pub fn state(&self) -> OrderState {
        match self.status {
            OrderStatus::Executed => OrderState::Executed,
            OrderStatus::InProgress => OrderState::InProgress,
            OrderStatus::Done { .. } => OrderState::Done,
            OrderStatus::Canceled => OrderState::Canceled,
            OrderStatus::Expired => OrderState::Expired,
            OrderStatus::Refunded { .. } => OrderState::Refunded,
        }
    }

    /// Whether it holds tickets that are not paid.
    pub fn is_live(&self) -> bool {
        matches!(self.status, OrderStatus::Executed | OrderStatus::InProgress)
    }

    /// Its sums.
    pub fn values(&self) -> Values {
        self.lines.iter().fold(Values::default(), |sum, line| Values {
            price: sum.price + line.price.price,
            discount: sum.discount + line.price.discount,
            nominal: sum.nominal + line.price.nominal(),
            extra: sum.extra + line.price.extra,
            full: sum.full + line.price.full(),
        })
    }
}

impl Order {
    /// Who gets how much of its sum.
    pub fn split(&self) -> Split {
        self.lines.iter().fold(Split::default(), |sum, line| Split {
            org: sum.org + line.price.org,
            agent: sum.agent + line.price.agent(),
            core: sum.core + line.price.core,
        })
    }
}

impl Row for Order {
    type Key = OrderId;

    fn key(&self) -> OrderId {
        self.id
    }
}

/// What a write to an order has to report.
#[derive(Clone, Debug)]
pub struct OrderOutcome {
    /// The order as it is now.
    pub order: Order,
    /// What was asked for and could not be had.
    pub details: Vec<Shortfall>,
    /// Why codes that were named were left out; see [`Unusable::LeaveOut`].
    pub left_out: Vec<Refusal>,
}
