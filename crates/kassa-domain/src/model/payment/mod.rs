//! Payments: how the money of an order comes to its vendor, and what of it goes back.

mod reference;
mod schedule;
mod test_plan;

pub use reference::{MalformedReference, PaymentReference};
pub use test_plan::{PaymentReport, TestOutcome, TestPlan};

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::model::order::PaymentSystem;
use crate::model::row::Row;
use crate::model::shop::PaymentProvider;
use crate::values::hex128::Hex128;
use crate::values::money::Money;
use crate::values::resource_ids::{EventId, OrderId, PartnerId, PaymentId};
use crate::values::revision::Revision;
use crate::values::time::Timestamp;

/// How often the payment of one order can be begun.
pub const PAYMENTS_PER_ORDER_MAX: u32 = 10;

/// How many entries of statements are noted for one payment.
pub const ENTRIES_PER_PAYMENT_MAX: u32 = 100;

/// Where a payment is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PaymentStatus {
    /// The money is waited for; some of it may be there.
    Pending,
    /// It has bought the tickets of its order.
    Paid,
    /// No money came.
    Failed,
    /// No money is waited for any more. Whatever comes all the same is looked at.
    Canceled,
    /// Money that buys nothing is to go back.
    Returning,
    /// All that came has gone back.
    Returned,
}

impl PaymentStatus {
    /// Every state, for documents and filters.
    pub const ALL: [Self; 6] =
        [Self::Pending, Self::Paid, Self::Failed, Self::Canceled, Self::Returning, Self::Returned];

    /// Its name, which is also how it is stored.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Paid => "paid",
            Self::Failed => "failed",
            Self::Canceled => "canceled",
            Self::Returning => "returning",
            Self::Returned => "returned",
        }
    }
}

impl fmt::Display for PaymentStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a payment failed or was canceled, or why money goes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PaymentReason {
    /// The provider, or whoever should pay, said no.
    Declined,
    /// The time was up.
    Expired,
    /// The customer pays in another way.
    Replaced,
    /// The order was given up.
    OrderCanceled,
    /// The order was paid in another way.
    OrderPaid,
    /// The order was changed so that there is nothing to pay for.
    OrderChanged,
    /// The money came late, and the tickets, or what made them cheaper, are gone.
    TicketsGone,
    /// The event is over, canceled, or not on sale any more.
    EventOver,
    /// More came than the order costs.
    Surplus,
    /// Tickets were given back.
    Refund,
}

/// A payment of an order. What has come in and has neither bought tickets nor gone back is to go back, unless more of it
/// is waited for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderPayment {
    /// The id.
    pub id: PaymentId,
    /// What is paid.
    pub order: OrderId,
    /// The order's event.
    pub event: EventId,
    /// The event's organizer.
    pub organizer: PartnerId,
    /// Who sold, and gets the money.
    pub vendor: PartnerId,
    /// How the money comes.
    pub provider: PaymentProvider,
    /// Where it is in its life.
    pub status: PaymentStatus,
    /// Why it is there, where nothing was bought, or money goes back.
    pub reason: Option<PaymentReason>,
    /// What the order cost when the payment began.
    pub amount: Money,
    /// What has come in.
    pub received: Money,
    /// What of it is the price of tickets.
    pub used: Money,
    /// What of it has gone back.
    pub returned: Money,
    /// What tells the payment from others where money comes in.
    pub reference: PaymentReference,
    /// Until when the money shall come.
    pub due_at: Timestamp,
    /// When it is looked at next.
    pub poll_at: Option<Timestamp>,
    /// How often it was looked at since something happened to it.
    pub polls: u32,
    /// How a test shall end.
    pub plan: Option<TestPlan>,
    /// What its provider calls the page where the customer pays, once there is one.
    pub checkout: Option<String>,
    /// The entries of statements by which its money was noted.
    pub entries: Vec<Hex128>,
    /// When it began.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Counts changes.
    pub revision: Revision,
}

impl OrderPayment {
    /// What has come in and has neither bought tickets nor gone back.
    pub fn unused(&self) -> Money {
        self.received - self.used - self.returned
    }

    /// What is to go back now.
    pub fn to_return(&self) -> Money {
        if self.status == PaymentStatus::Returning { self.unused() } else { Money::ZERO }
    }

    /// What is still waited for.
    pub fn missing(&self) -> Money {
        if self.status == PaymentStatus::Pending { (self.amount - self.received).max(Money::ZERO) } else { Money::ZERO }
    }

    /// Whether money that is there, or comes, may still buy the tickets: none that is on its way back.
    pub fn may_buy(&self) -> bool {
        self.used == Money::ZERO
            && matches!(self.status, PaymentStatus::Pending | PaymentStatus::Failed | PaymentStatus::Canceled)
    }
}

impl PaymentProvider {
    /// What orders that are paid so say of it.
    pub fn system(self) -> PaymentSystem {
        match self {
            Self::Test => PaymentSystem::Test,
            Self::Transfer => PaymentSystem::Transfer,
            Self::Door => PaymentSystem::Door,
            Self::Stripe => PaymentSystem::Stripe,
        }
    }

    /// Whether the provider can be asked how a payment is. Otherwise people say when money has come in or gone back.
    pub fn can_be_asked(self) -> bool {
        match self {
            Self::Test | Self::Stripe => true,
            Self::Transfer | Self::Door => false,
        }
    }
}

impl Row for OrderPayment {
    type Key = PaymentId;

    fn key(&self) -> PaymentId {
        self.id
    }
}
