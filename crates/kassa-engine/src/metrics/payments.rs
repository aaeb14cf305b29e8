//! What becomes of payments.

use kassa_domain::change::{ChangeType, Subject};
use kassa_domain::payment::PaymentProvider;
use kassa_domain::precondition::ResourceRef;
use kassa_domain::{Timestamp, View};

use super::{Counter, Histogram, MetricsText};

/// Bounds of how long money is waited for, in seconds: from ten to two weeks.
const PENDING_S: &[u64] = &[10, 60, 300, 1_800, 3_600, 21_600, 86_400, 259_200, 604_800, 1_209_600];

/// A step of a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PaymentStep {
    Started,
    Paid,
    Failed,
    Canceled,
    Returning,
    Returned,
}

/// What is stated of them.
const CHANGES: [(ChangeType, PaymentStep); 6] = [
    (ChangeType::PaymentStarted, PaymentStep::Started),
    (ChangeType::PaymentPaid, PaymentStep::Paid),
    (ChangeType::PaymentFailed, PaymentStep::Failed),
    (ChangeType::PaymentCanceled, PaymentStep::Canceled),
    (ChangeType::PaymentReturning, PaymentStep::Returning),
    (ChangeType::PaymentReturned, PaymentStep::Returned),
];
/// The names of steps, in their order.
const STEPS: [&str; 6] = ["started", "paid", "failed", "canceled", "returning", "returned"];
/// The names of providers, in the order of [`place_of`].
const PROVIDERS: [&str; 3] = ["TEST", "TRANSFER", "DOOR"];

fn place_of(provider: PaymentProvider) -> usize {
    match provider {
        PaymentProvider::Test => 0,
        PaymentProvider::Transfer => 1,
        PaymentProvider::Door => 2,
    }
}

/// The steps that the payments of a batch took: the provider of each, and for how long its money was waited for, in
/// seconds, where that has ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PaymentSteps(Vec<(usize, PaymentStep, Option<u64>)>);

impl PaymentSteps {
    /// Of a batch that was decided at this time, before its changes are sealed.
    pub(crate) fn of(view: &View, now: Timestamp) -> Self {
        let changes = view.changes.accepted().iter();
        Self(
            changes
                .filter_map(|change| {
                    let (_, step) = CHANGES.into_iter().find(|(kind, _)| *kind == change.kind)?;
                    let Subject::Resource(ResourceRef::Payment(id)) = change.subject else { return None };
                    let payment = view.payments.get(id)?;
                    // Money that has come too much is paid a second time, when that has gone back.
                    let ends = matches!(step, PaymentStep::Paid | PaymentStep::Failed | PaymentStep::Canceled);
                    let is_first = payment.returned == kassa_domain::Money::ZERO;
                    let waited_s = now.ms().saturating_sub(payment.created_at.ms()).unsigned_abs() / 1_000;
                    Some((place_of(payment.provider), step, (ends && is_first).then_some(waited_s)))
                })
                .collect(),
        )
    }
}

/// What is counted of payments.
#[derive(Debug)]
pub(crate) struct PaymentMetrics {
    steps: [[Counter; STEPS.len()]; PROVIDERS.len()],
    pending: [Histogram; PROVIDERS.len()],
}

impl Default for PaymentMetrics {
    fn default() -> Self {
        Self { steps: Default::default(), pending: std::array::from_fn(|_| Histogram::new(PENDING_S, 1)) }
    }
}

impl PaymentMetrics {
    /// A batch is durable.
    pub(crate) fn record(&self, steps: &PaymentSteps) {
        for (provider, step, waited_s) in &steps.0 {
            self.steps[*provider][*step as usize].add(1);
            if let Some(waited_s) = waited_s {
                self.pending[*provider].observe(*waited_s);
            }
        }
    }

    pub(super) fn write(&self, text: &mut MetricsText) {
        text.counter(
            "kassa_payments_total",
            "Payments by provider and the step they reached, since the server started.",
        );
        for (provider, steps) in PROVIDERS.iter().zip(&self.steps) {
            for (step, counter) in STEPS.iter().zip(steps) {
                text.sample("kassa_payments_total", &[("provider", provider), ("step", step)], counter.get());
            }
        }
        text.histogram("kassa_payment_pending_seconds", "How long the money of a payment was waited for, by provider.");
        for (provider, pending) in PROVIDERS.iter().zip(&self.pending) {
            text.distribution("kassa_payment_pending_seconds", &[("provider", provider)], pending);
        }
    }
}
