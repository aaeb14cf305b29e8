//! Payments that are played: nobody pays anything.

use serde::{Deserialize, Serialize};

use super::OrderPayment;
use crate::values::money::Money;
use crate::values::time::{MINUTE_MS, Timestamp};

/// How long somebody who pays later lets the shop wait.
const LATER_MS: i64 = 20_000;

/// How a test shall end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TestOutcome {
    /// The money comes at once.
    Yes,
    /// The provider says no.
    No,
    /// The money comes after 20 seconds.
    Later,
    /// The money comes at once, and once more.
    Twice,
    /// The money comes a minute after the time is up.
    Late,
    /// Nothing comes, and nobody says so.
    Never,
}

impl TestOutcome {
    /// Every outcome, for documents and inputs.
    pub const ALL: [Self; 6] = [Self::Yes, Self::No, Self::Later, Self::Twice, Self::Late, Self::Never];
}

/// How a test shall end, and since when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestPlan {
    /// How.
    pub outcome: TestOutcome,
    /// When somebody said so.
    pub chosen_at: Timestamp,
}

impl TestPlan {
    /// When there is something to tell of a payment, if ever.
    pub fn news_at(self, due_at: Timestamp) -> Option<Timestamp> {
        match self.outcome {
            TestOutcome::Yes | TestOutcome::No | TestOutcome::Twice => Some(self.chosen_at),
            TestOutcome::Later => Some(self.chosen_at.plus_ms(LATER_MS)),
            TestOutcome::Late => Some(due_at.plus_ms(MINUTE_MS)),
            TestOutcome::Never => None,
        }
    }
}

/// What a provider says of a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaymentReport {
    /// Nothing is known, or nothing new.
    Nothing,
    /// So much has come in, in all: the same report may come twice, and an older one later.
    Received(Money),
    /// No money will come.
    Declined,
}

impl OrderPayment {
    /// What the provider of tests says.
    pub fn test_report(&self, now: Timestamp) -> PaymentReport {
        let Some(plan) = self.plan.filter(|plan| plan.news_at(self.due_at).is_some_and(|at| at <= now)) else {
            return PaymentReport::Nothing;
        };
        match plan.outcome {
            TestOutcome::Yes | TestOutcome::Later | TestOutcome::Late => PaymentReport::Received(self.amount),
            TestOutcome::Twice => PaymentReport::Received(self.amount + self.amount),
            TestOutcome::No => PaymentReport::Declined,
            TestOutcome::Never => PaymentReport::Nothing,
        }
    }
}
