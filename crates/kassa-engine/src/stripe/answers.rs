//! What Stripe answers, as far as it is read.

use std::collections::BTreeMap;

use serde::Deserialize;

/// A page of Stripe where somebody pays.
#[derive(Clone, Debug, Deserialize)]
pub struct CheckoutSession {
    /// Its id.
    pub id: String,
    /// What we have called it.
    #[serde(default)]
    pub client_reference_id: Option<String>,
    status: Option<SessionStatus>,
    payment_status: SessionPayment,
    /// What is paid there, in the smallest unit of the currency.
    #[serde(default)]
    pub amount_total: Option<i64>,
    /// The code of the currency, in small letters.
    #[serde(default)]
    pub currency: Option<String>,
    /// Where the page is, while it is open.
    #[serde(default)]
    pub url: Option<String>,
    #[serde(default)]
    payment_intent: Option<IntentField>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SessionStatus {
    Open,
    Complete,
    Expired,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SessionPayment {
    Paid,
    Unpaid,
    NoPaymentRequired,
}

/// A payment intent: its id, or all of it where that was asked for.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum IntentField {
    Id(String),
    Whole { id: String, status: String },
}

/// What became of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckoutState {
    /// The customer can pay there.
    Open,
    /// It is paid.
    Paid,
    /// The customer has done its part; the money takes days, in some ways to pay.
    Processing,
    /// The money did not come.
    Failed,
    /// Nobody can pay there any more.
    Expired,
}

impl CheckoutSession {
    /// What became of it.
    pub fn state(&self) -> CheckoutState {
        let has_failed = matches!(
            &self.payment_intent,
            Some(IntentField::Whole { status, .. }) if matches!(status.as_str(), "requires_payment_method" | "canceled")
        );
        match (self.payment_status, self.status) {
            (SessionPayment::Paid, _) => CheckoutState::Paid,
            (_, Some(SessionStatus::Open) | None) => CheckoutState::Open,
            (_, Some(SessionStatus::Expired)) => CheckoutState::Expired,
            (_, Some(SessionStatus::Complete)) if has_failed => CheckoutState::Failed,
            (_, Some(SessionStatus::Complete)) => CheckoutState::Processing,
        }
    }

    /// The id of what was charged.
    pub fn payment_intent(&self) -> Option<&str> {
        match self.payment_intent.as_ref()? {
            IntentField::Id(id) | IntentField::Whole { id, .. } => Some(id),
        }
    }
}

/// Money that goes back.
#[derive(Clone, Debug, Deserialize)]
pub struct Refund {
    /// How much, in the smallest unit of the currency.
    pub amount: i64,
    /// The code of the currency, in small letters.
    pub currency: String,
    /// How far it is.
    pub status: RefundStatus,
    /// What we have said of it.
    #[serde(default)]
    pub metadata: BTreeMap<String, String>,
}

/// How far money is that goes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefundStatus {
    /// It is on its way.
    Pending,
    /// Somebody has to do something for it.
    RequiresAction,
    /// It has arrived, as far as Stripe knows.
    Succeeded,
    /// It could not be sent.
    Failed,
    /// It was called back.
    Canceled,
}

/// A list.
#[derive(Debug, Deserialize)]
pub(super) struct StripeList<T> {
    pub(super) data: Vec<T>,
    #[serde(default)]
    pub(super) has_more: bool,
}

/// Why something was refused.
#[derive(Debug, Deserialize)]
pub(super) struct ErrorAnswer {
    pub(super) error: ErrorAbout,
}

#[derive(Debug, Deserialize)]
pub(super) struct ErrorAbout {
    #[serde(default)]
    pub(super) code: Option<String>,
}
