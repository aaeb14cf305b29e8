//! What becomes of payments.

use kassa_domain::change::{ChangeType, Subject};
use kassa_domain::payment::PaymentProvider;
use kassa_domain::precondition::ResourceRef;
use kassa_domain::{Timestamp, View};

use super::{Counter, Histogram, MetricsText};

/// Bounds of how long money is waited for, in seconds: from ten to two weeks.
const PENDING_S: &[u64] = &[10, 60, 300, 1_800, 3_600, 21_600, 86_400, 259_200, 604_800, 1_209_600];

/// The steps of a payment, as they are stated.
const STEPS: [ChangeType; 6] = [
    ChangeType::PaymentStarted,
    ChangeType::PaymentPaid,
    ChangeType::PaymentFailed,
    ChangeType::PaymentCanceled,
    ChangeType::PaymentReturning,
    ChangeType::PaymentReturned,
];

/// What has ended by a step: the money is waited for no more.
const ENDS: [ChangeType; 3] = [ChangeType::PaymentPaid, ChangeType::PaymentFailed, ChangeType::PaymentCanceled];

/// The name of a step: that of its change, without what is changed.
fn name_of(step: ChangeType) -> &'static str {
    step.name().rsplit('.').next().unwrap_or_default()
}

/// The steps that the payments of a batch took: the provider of each, and for how long its money was waited for, in
/// seconds, where that has ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PaymentSteps(Vec<(PaymentProvider, usize, Option<u64>)>);

impl PaymentSteps {
    /// Of a batch that was decided at this time, before its changes are sealed.
    pub(crate) fn of(view: &View, now: Timestamp) -> Self {
        let changes = view.changes.accepted().iter();
        Self(
            changes
                .filter_map(|change| {
                    let step = STEPS.into_iter().position(|kind| kind == change.kind)?;
                    let Subject::Resource(ResourceRef::Payment(id)) = change.subject else { return None };
                    let payment = view.payments.get(id)?;
                    // Money that has come too much is paid a second time, when that has gone back.
                    let ends = ENDS.contains(&change.kind);
                    let is_first = payment.returned == kassa_domain::Money::ZERO;
                    let waited_s = now.ms().saturating_sub(payment.created_at.ms()).unsigned_abs() / 1_000;
                    Some((payment.provider, step, (ends && is_first).then_some(waited_s)))
                })
                .collect(),
        )
    }
}

/// What is counted of payments.
#[derive(Debug)]
pub(crate) struct PaymentMetrics {
    /// In the order of the variants of [`PaymentProvider`].
    steps: [[Counter; STEPS.len()]; PaymentProvider::ALL.len()],
    pending: [Histogram; PaymentProvider::ALL.len()],
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
            self.steps[*provider as usize][*step].add(1);
            if let Some(waited_s) = waited_s {
                self.pending[*provider as usize].observe(*waited_s);
            }
        }
    }

    pub(super) fn write(&self, text: &mut MetricsText) {
        text.counter(
            "kassa_payments_total",
            "Payments by provider and the step they reached, since the server started.",
        );
        for (provider, steps) in PaymentProvider::ALL.into_iter().zip(&self.steps) {
            for (step, counter) in STEPS.into_iter().zip(steps) {
                let labels = [("provider", provider.name()), ("step", name_of(step))];
                text.sample("kassa_payments_total", &labels, counter.get());
            }
        }
        text.histogram("kassa_payment_pending_seconds", "How long the money of a payment was waited for, by provider.");
        for (provider, pending) in PaymentProvider::ALL.into_iter().zip(&self.pending) {
            text.distribution("kassa_payment_pending_seconds", &[("provider", provider.name())], pending);
        }
    }
}
