//! Orders: their life from reservation to payment (decisions §7).

mod create;
mod customer;
mod edit;
mod expire;
mod export;
mod notes;
mod payment;
mod promocodes;
mod promotion_grants;
mod refund;
mod reprice;
mod reservation;
mod update;
mod visitors;

pub use create::CreateOrder;
pub use customer::{Customer, CustomerPatch};
pub use edit::{OrderEdit, OrderTransition};
pub use expire::ExpireOrder;
pub use export::{ExportFilter, ExportOrders};
pub use notes::{
    OrderNotes, OrderNotesPatch, OrderOrigin, VENDOR_DATA_ENTRIES_MAX, VendorData, VendorDataValue, Visitor,
};
pub use payment::{Payment, PaymentPatch, PaymentSystem};
pub use promocodes::{PROMOCODES_MAX, UnusablePromocodePolicy};
pub use promotion_grants::{PROMOTION_GRANTS_MAX, PromotionGrant};
pub use refund::RefundTotals;
pub use reprice::DiscountedPrice;
pub use reservation::TicketSelection;
pub use update::UpdateOrder;
pub use visitors::{SetVisitors, VisitorDetails};

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::deal::DealId;
use crate::event::EventId;
use crate::id::Id;
use crate::money::Money;
use crate::partner::PartnerId;
use crate::price::{Terms, TicketPrice};
use crate::promocode::PromocodeId;
use crate::promotion::PromotionId;
use crate::refund::RefundPolicy;
use crate::refusal::{Refusal, Shortfall};
use crate::set::{PriceRuleId, SetId};
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
    #[serde(rename = "executed")]
    Reserved,
    /// Holds tickets and awaits the money.
    #[serde(rename = "in_progress")]
    AwaitingPayment,
    /// Paid.
    #[serde(rename = "done")]
    Paid {
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
    #[serde(rename = "executed")]
    Reserved,
    /// Awaits the money.
    #[serde(rename = "in_progress")]
    AwaitingPayment,
    /// Paid.
    #[serde(rename = "done")]
    Paid,
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
        [Self::Reserved, Self::AwaitingPayment, Self::Paid, Self::Canceled, Self::Expired, Self::Refunded];

    /// Its name in v1, which is also how it is stored.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reserved => "executed",
            Self::AwaitingPayment => "in_progress",
            Self::Paid => "done",
            Self::Canceled => "canceled",
            Self::Expired => "expired",
            Self::Refunded => "refunded",
        }
    }

    /// Its name in v2, and in exports.
    pub fn name_in_v2(self) -> &'static str {
        match self {
            Self::Canceled => "cancelled",
            Self::Reserved | Self::AwaitingPayment | Self::Paid | Self::Expired | Self::Refunded => self.name(),
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
pub struct OrderLine {
    /// The ticket.
    pub ticket: TicketId,
    /// Its number in the event.
    pub number: i64,
    /// Its set.
    pub set: SetId,
    /// The price rule that was in force.
    pub rule: PriceRuleId,
    /// The promocode that makes it cheaper.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promocode: Option<PromocodeId>,
    /// The promotion that makes it cheaper, where no promocode does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promotion: Option<PromotionId>,
    /// What it costs, and who gets how much.
    pub price: TicketPrice,
}

/// An order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// The id.
    pub id: OrderId,
    /// Its event.
    pub event: EventId,
    /// The event's organizer.
    pub organizer: PartnerId,
    /// Who sells.
    pub vendor: PartnerId,
    /// Unique; grows roughly with time.
    pub number: i64,
    /// Where it is in its life.
    pub status: OrderStatus,
    /// Until when it holds its tickets, or held them.
    pub reserved_till: Timestamp,
    /// Its tickets.
    pub lines: Vec<OrderLine>,
    /// The promocodes that it names, in the order in which they were named: a live order holds a use of
    /// each, a paid one has used each up.
    pub promocodes: Vec<PromocodeId>,
    /// The promotions that it was promised, in the order in which it was.
    pub promotion_grants: Vec<PromotionGrant>,
    /// The deal it is sold under; none when the organizer sells its own event.
    pub deal: Option<DealId>,
    /// The terms of the sale.
    pub terms: Terms,
    /// What is kept of tickets that the customer gives back: as it was when the order was made.
    pub refund_policy: RefundPolicy,
    /// Money of tickets that it has given back.
    pub refunded: RefundTotals,
    /// Who buys.
    pub customer: Customer,
    /// How it is paid.
    pub payment: Payment,
    /// By which door it came in.
    pub origin: OrderOrigin,
    /// What is kept with it.
    pub notes: OrderNotes,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Counts changes.
    pub revision: i64,
}

/// Sums over the lines of an order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OrderTotals {
    /// Before discounts.
    pub price: Money,
    /// Taken off.
    pub discount: Money,
    /// `price - discount`.
    pub nominal: Money,
    /// On top.
    pub surcharge: Money,
    /// What the customer pays: `nominal + extra`.
    pub full: Money,
}

/// Who gets how much of what the customers pay: together they are `full`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RevenueSplit {
    /// The organizer.
    pub organizer: Money,
    /// The agent.
    pub agent: Money,
    /// The platform.
    pub platform: Money,
}

impl Order {
    /// The bare name of its status.
    pub fn state(&self) -> OrderState {
        match self.status {
            OrderStatus::Reserved => OrderState::Reserved,
            OrderStatus::AwaitingPayment => OrderState::AwaitingPayment,
            OrderStatus::Paid { .. } => OrderState::Paid,
            OrderStatus::Canceled => OrderState::Canceled,
            OrderStatus::Expired => OrderState::Expired,
            OrderStatus::Refunded { .. } => OrderState::Refunded,
        }
    }

    /// Whether it holds tickets that are not paid.
    pub fn is_live(&self) -> bool {
        matches!(self.status, OrderStatus::Reserved | OrderStatus::AwaitingPayment)
    }

    /// Its sums.
    pub fn totals(&self) -> OrderTotals {
        self.lines.iter().fold(OrderTotals::default(), |sum, line| OrderTotals {
            price: sum.price + line.price.price,
            discount: sum.discount + line.price.discount,
            nominal: sum.nominal + line.price.nominal(),
            surcharge: sum.surcharge + line.price.surcharge,
            full: sum.full + line.price.full(),
        })
    }
}

impl Order {
    /// Who gets how much of its sum.
    pub fn revenue_split(&self) -> RevenueSplit {
        self.lines.iter().fold(RevenueSplit::default(), |sum, line| RevenueSplit {
            organizer: sum.organizer + line.price.organizer,
            agent: sum.agent + line.price.agent(),
            platform: sum.platform + line.price.platform,
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
    pub shortfalls: Vec<Shortfall>,
    /// Why codes that were named were left out; see [`UnusablePromocodePolicy::LeaveOut`].
    pub refused_promocodes: Vec<Refusal>,
}
