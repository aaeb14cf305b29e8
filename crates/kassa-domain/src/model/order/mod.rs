//! Orders: their life from reservation to payment.

mod customer;
mod export_filter;
mod holds;
mod notes;
mod payment;
mod promotion_grant;
mod refund_totals;
mod status;

pub use customer::Customer;
pub use export_filter::ExportFilter;
pub use holds::{HoldBound, HoldLimits, NetworkMark};
pub use notes::{
    Answer, Holder, OrderNotes, OrderOrigin, TermsAcceptance, VENDOR_DATA_ENTRIES_MAX, VendorData, VendorDataValue,
    Visitor,
};
pub use payment::{Payment, PaymentSystem};
pub use promotion_grant::PromotionGrant;
pub use refund_totals::RefundTotals;
pub use status::{OrderStatus, OrderStatusKind};

use serde::{Deserialize, Serialize};

use crate::model::row::Row;
use crate::values::money::Money;
use crate::values::price::{Terms, TicketPrice};
use crate::values::refund_policy::RefundPolicy;
use crate::values::resource_ids::{
    DealId, EventId, OrderId, PartnerId, PriceRuleId, PromocodeId, PromotionId, SetId, TicketId,
};
use crate::values::revision::Revision;
use crate::values::time::Timestamp;

/// One ticket of an order, with its price as it was when it was reserved. Lines outlast the hold.
///
/// Orders store it as a list of these fields: their number and order never change.
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
    /// The promotions that were granted to it, the earliest first.
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
    /// By what kind of client it was made.
    pub origin: OrderOrigin,
    /// Where it was made from, if whoever buys has made it, and until it is paid or over.
    pub network: Option<NetworkMark>,
    /// What is kept with it.
    pub notes: OrderNotes,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Counts changes.
    pub revision: Revision,
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
    pub fn state(&self) -> OrderStatusKind {
        match self.status {
            OrderStatus::Reserved => OrderStatusKind::Reserved,
            OrderStatus::AwaitingPayment => OrderStatusKind::AwaitingPayment,
            OrderStatus::Paid { .. } => OrderStatusKind::Paid,
            OrderStatus::Canceled => OrderStatusKind::Canceled,
            OrderStatus::Expired => OrderStatusKind::Expired,
            OrderStatus::Refunded { .. } => OrderStatusKind::Refunded,
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
