//! What the interface says of an order and of its payments, as far as pages show it.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use kassa_domain::money::Percent;
use kassa_texts::{Amount, ReturnDeadline, ReturnTerms};
use serde::{Deserialize, Deserializer};

use crate::model::{EventStatus, Title, Venue, amount};

/// An order, and what it refers to.
#[derive(Debug, Deserialize)]
pub(crate) struct OrderAnswer {
    pub(crate) data: OrderData,
    pub(crate) refs: OrderRefs,
}

/// An order.
#[derive(Debug, Deserialize)]
pub(crate) struct OrderData {
    pub(crate) id: String,
    pub(crate) status: OrderStatus,
    #[serde(deserialize_with = "moment")]
    pub(crate) created_at: Timestamp,
    #[serde(deserialize_with = "moment")]
    pub(crate) expired_after: Timestamp,
    #[serde(default)]
    pub(crate) code: Option<String>,
    pub(crate) event: String,
    pub(crate) number: i64,
    pub(crate) vendor: String,
    pub(crate) promocodes: Vec<String>,
    pub(crate) settings: OrderSettings,
    pub(crate) tickets: Vec<OrderTicket>,
    pub(crate) values: OrderValues,
    pub(crate) refund_policy: RefundPolicyData,
    #[serde(deserialize_with = "amount")]
    pub(crate) refunded: Amount,
    /// Answers for the whole order, by the ids of their questions.
    #[serde(default)]
    pub(crate) answers: BTreeMap<String, AnswerData>,
}

/// What happens with tickets that are given back.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct RefundPolicyData {
    kept_percent: String,
    days_before: u32,
    after_start: bool,
}

impl RefundPolicyData {
    pub(crate) fn terms(&self) -> ReturnTerms {
        let kept: Option<Percent> = self.kept_percent.trim_end_matches('%').parse().ok();
        ReturnTerms {
            kept_percent_e4: kept.and_then(|kept| u32::try_from(kept.units()).ok()).unwrap_or_default(),
            deadline: if self.after_start { ReturnDeadline::End } else { ReturnDeadline::DaysBefore(self.days_before) },
        }
    }
}

/// An answer to a question.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum AnswerData {
    Flag(bool),
    Text(String),
}

/// Which terms were accepted.
#[derive(Debug, Deserialize)]
pub(crate) struct AcceptedTerms {
    pub(crate) terms: String,
}

/// Where an order is in its life.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OrderStatus {
    /// It holds tickets.
    Executed,
    /// It holds tickets, and its payment has begun.
    InProgress,
    /// It is paid.
    Done,
    /// It was given up.
    Cancelled,
    /// It was not paid in time.
    Expired,
}

impl OrderStatus {
    /// Whether it holds tickets that are not paid.
    pub(crate) fn is_open(self) -> bool {
        matches!(self, Self::Executed | Self::InProgress)
    }
}

/// What was agreed with the customer.
#[derive(Debug, Deserialize)]
pub(crate) struct OrderSettings {
    #[serde(default)]
    pub(crate) customer: Option<Customer>,
    #[serde(default)]
    pub(crate) accepted_terms: Option<AcceptedTerms>,
}

/// Who buys.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Customer {
    pub(crate) name: Option<String>,
    pub(crate) email: Option<String>,
    pub(crate) phone: Option<String>,
}

/// A ticket of an order.
#[derive(Debug, Deserialize)]
pub(crate) struct OrderTicket {
    pub(crate) id: String,
    pub(crate) set: String,
    pub(crate) barcode: Option<String>,
    /// What is taken off; already taken off what is to be paid in `full`.
    #[serde(deserialize_with = "amount")]
    pub(crate) discount: Amount,
    #[serde(deserialize_with = "amount")]
    pub(crate) full: Amount,
    #[serde(default)]
    pub(crate) seat: Option<Seat>,
    /// The name on it.
    #[serde(default)]
    pub(crate) holder: Option<String>,
    /// Answers for it, by the ids of their questions.
    #[serde(default)]
    pub(crate) answers: BTreeMap<String, AnswerData>,
}

/// A seat.
#[derive(Debug, Deserialize)]
pub(crate) struct Seat {
    pub(crate) row: String,
    pub(crate) number: String,
    pub(crate) sector: Option<String>,
}

/// Sums.
#[derive(Debug, Deserialize)]
pub(crate) struct OrderValues {
    #[serde(deserialize_with = "amount")]
    pub(crate) discount: Amount,
    #[serde(deserialize_with = "amount")]
    pub(crate) full: Amount,
}

/// What an order refers to, by id.
#[derive(Debug, Deserialize)]
pub(crate) struct OrderRefs {
    #[serde(default)]
    pub(crate) events: BTreeMap<String, EventRef>,
    #[serde(default)]
    pub(crate) venues: BTreeMap<String, Venue>,
    #[serde(default)]
    pub(crate) partners: BTreeMap<String, NamedRef>,
    #[serde(default)]
    pub(crate) sets: BTreeMap<String, NamedRef>,
    #[serde(default)]
    pub(crate) promocodes: BTreeMap<String, PromocodeRef>,
}

/// An event, as an order refers to it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct EventRef {
    pub(super) status: EventStatus,
    pub(super) title: Title,
    #[serde(default)]
    pub(super) lifetime: Option<LifetimeRef>,
    #[serde(default)]
    pub(super) venue: Option<String>,
    #[serde(default)]
    pub(super) age_rating: u32,
}

/// When an event takes place.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct LifetimeRef {
    #[serde(deserialize_with = "moment")]
    pub(super) start: Timestamp,
    #[serde(deserialize_with = "moment")]
    pub(super) finish: Timestamp,
}

#[derive(Debug, Deserialize)]
pub(crate) struct NamedRef {
    pub(crate) name: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct PromocodeRef {
    pub(crate) code: String,
}

/// A payment.
#[derive(Debug, Deserialize)]
pub(crate) struct PaymentAnswer {
    pub(crate) data: PaymentData,
}

/// The payments of an order, the newest last.
#[derive(Debug, Deserialize)]
pub(crate) struct PaymentsAnswer {
    pub(crate) data: Vec<PaymentData>,
}

/// A payment of an order.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct PaymentData {
    pub(crate) status: String,
    pub(crate) provider: Option<String>,
    #[serde(default)]
    pub(crate) next: Option<NextStep>,
}

/// What its payer does next.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", tag = "type")]
pub(crate) enum NextStep {
    /// Goes to a page.
    Redirect {
        /// Its address.
        url: String,
    },
    /// Follows these, in its own time.
    Instructions(Box<Instructions>),
    /// Nothing.
    Done,
}

/// How to pay without a page: to an account, or at the door.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Instructions {
    #[serde(default)]
    pub(crate) iban: Option<String>,
    #[serde(default)]
    pub(crate) holder: Option<String>,
    #[serde(default)]
    pub(crate) bic: Option<String>,
    #[serde(default)]
    pub(crate) reference: Option<String>,
    /// All of it, for programs of banks that read it as a QR code.
    #[serde(default)]
    pub(crate) epc: Option<String>,
}

/// `2026-01-01 00:15:00`, in UTC.
fn moment<'de, D: Deserializer<'de>>(from: D) -> Result<Timestamp, D::Error> {
    let text = String::deserialize(from)?;
    let at: DateTime = text.parse().map_err(serde::de::Error::custom)?;
    at.to_zoned(TimeZone::UTC).map(|at| at.timestamp()).map_err(serde::de::Error::custom)
}
