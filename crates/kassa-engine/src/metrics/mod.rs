//! What a server counts, for its operators. Whoever counts holds the counter: nothing is looked up and nothing is
//! written while a request waits.

mod backups;
mod limit_hits;
mod log_shipping;
mod payments;
mod periodic_jobs;
mod text;
mod webhooks;

pub use backups::BackupMetrics;
pub use limit_hits::{Limit, LimitHits};
pub use log_shipping::LogShippingMetrics;
pub(crate) use payments::PaymentSteps;
pub use text::MetricsText;
pub(crate) use webhooks::WebhookMetrics;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use kassa_domain::order::OrderStatus;
use kassa_domain::{Timestamp, View};

use crate::verify::VerifyReport;
use payments::PaymentMetrics;
use periodic_jobs::{PeriodicJobMetrics, PeriodicJobs};

/// Bounds of times, in microseconds.
const TIMES_US: &[u64] =
    &[500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000];
/// Bounds of numbers of commands.
const COMMANDS: &[u64] = &[1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000];

/// A number that only increases.
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    /// Nothing was counted.
    pub(crate) const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// Adds to it.
    pub fn add(&self, count: u64) {
        self.0.fetch_add(count, Ordering::Relaxed);
    }

    /// The sum so far.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A histogram of numbers.
#[derive(Debug)]
pub struct Histogram {
    bounds: &'static [u64],
    /// The numbers are divided by this when they are written: times are added in microseconds, and written in seconds.
    unit: u32,
    /// One for each bound, and one for what is above all of them.
    counts: Box<[Counter]>,
    sum: Counter,
}

impl Histogram {
    fn new(bounds: &'static [u64], unit: u32) -> Self {
        let counts = std::iter::repeat_with(Counter::default).take(bounds.len() + 1).collect();
        Self { bounds, unit, counts, sum: Counter::default() }
    }

    /// Of times, which are shown in seconds.
    pub fn of_durations() -> Self {
        Self::new(TIMES_US, 1_000_000)
    }

    /// Adds a time.
    pub fn observe_duration(&self, time: Duration) {
        self.observe(u64::try_from(time.as_micros()).unwrap_or(u64::MAX));
    }

    fn observe(&self, value: u64) {
        self.counts[self.bounds.partition_point(|bound| *bound < value)].add(1);
        self.sum.add(value);
    }
}

/// A step of an order.
#[derive(Clone, Copy)]
enum OrderTransition {
    Created,
    Paid,
    Canceled,
    Expired,
    Refunded,
}

/// The names of steps, in their order.
const ORDER_TRANSITIONS: [&str; 5] = ["made", "paid", "canceled", "expired", "refunded"];

/// How many orders of a batch took each step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct OrderTransitions([u64; ORDER_TRANSITIONS.len()]);

impl OrderTransitions {
    /// Of a batch that was decided at this time.
    pub(crate) fn of(view: &View, now: Timestamp) -> Self {
        let mut steps = Self::default();
        for change in view.orders.changes() {
            let Some(order) = change.row else { continue };
            steps.add(OrderTransition::Created, change.version == 0);
            match order.status {
                OrderStatus::Reserved | OrderStatus::AwaitingPayment => {}
                OrderStatus::Paid { at, .. } => steps.add(OrderTransition::Paid, at == now),
                // Nothing else changes an order that has ended.
                OrderStatus::Canceled => steps.add(OrderTransition::Canceled, order.updated_at == now),
                OrderStatus::Expired => steps.add(OrderTransition::Expired, order.updated_at == now),
                OrderStatus::Refunded { at, .. } => steps.add(OrderTransition::Refunded, at == now),
            }
        }
        steps
    }

    fn add(&mut self, step: OrderTransition, is_taken: bool) {
        self.0[step as usize] += u64::from(is_taken);
    }
}

/// What the engine counts.
pub(crate) struct Metrics {
    order_transitions: [Counter; ORDER_TRANSITIONS.len()],
    refused: Counter,
    limit_hits: Arc<LimitHits>,
    commands_per_batch: Histogram,
    commit_durations: Histogram,
    payments: PaymentMetrics,
    periodic_jobs: PeriodicJobs,
    webhooks: WebhookMetrics,
    backups: BackupMetrics,
    log_shipping: LogShippingMetrics,
    /// Of the last recount; -1 before the first.
    findings: AtomicI64,
    verified_at_s: AtomicI64,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        Self {
            order_transitions: Default::default(),
            refused: Counter::default(),
            limit_hits: Arc::default(),
            commands_per_batch: Histogram::new(COMMANDS, 1),
            commit_durations: Histogram::of_durations(),
            payments: PaymentMetrics::default(),
            periodic_jobs: PeriodicJobs::default(),
            webhooks: WebhookMetrics::default(),
            backups: BackupMetrics::default(),
            log_shipping: LogShippingMetrics::default(),
            findings: AtomicI64::new(-1),
            verified_at_s: AtomicI64::new(0),
        }
    }

    /// A batch of so many commands is durable, of which some were refused.
    pub(crate) fn record_commit(
        &self,
        commands: usize,
        refused: usize,
        (steps, payments): (OrderTransitions, &PaymentSteps),
        took: Duration,
    ) {
        self.payments.record(payments);
        self.commands_per_batch.observe(commands as u64);
        self.commit_durations.observe_duration(took);
        self.refused.add(refused as u64);
        for (counter, count) in self.order_transitions.iter().zip(steps.0) {
            counter.add(count);
        }
    }

    /// How often each limit was hit.
    pub(crate) fn limit_hits(&self) -> &Arc<LimitHits> {
        &self.limit_hits
    }

    /// The counters of a periodic job.
    pub(crate) fn periodic_job(&self, name: &'static str) -> Arc<PeriodicJobMetrics> {
        self.periodic_jobs.get(name)
    }

    /// What is counted of webhooks.
    pub(crate) fn webhooks(&self) -> &WebhookMetrics {
        &self.webhooks
    }

    /// What is counted of the shipping of the log.
    pub(crate) fn log_shipping(&self) -> &LogShippingMetrics {
        &self.log_shipping
    }

    /// What is counted of backups.
    pub(crate) fn backups(&self) -> &BackupMetrics {
        &self.backups
    }

    /// A recount has ended.
    pub(crate) fn record_verification(&self, verified: &VerifyReport, now: Timestamp) {
        self.findings.store(i64::try_from(verified.findings.count()).unwrap_or(i64::MAX), Ordering::Relaxed);
        self.verified_at_s.store(now.ms() / 1_000, Ordering::Relaxed);
    }

    pub(crate) fn write(&self, text: &mut MetricsText) {
        text.counter("kassa_orders_total", "Orders by the step they reached, since the server started.");
        for (step, counter) in ORDER_TRANSITIONS.iter().zip(&self.order_transitions) {
            text.sample("kassa_orders_total", &[("step", step)], counter.get());
        }
        self.payments.write(text);
        text.counter("kassa_commands_refused_total", "Commands refused by a rule.");
        text.sample("kassa_commands_refused_total", &[], self.refused.get());
        self.limit_hits.write(text);
        text.histogram("kassa_batch_commands", "Commands per batch; a batch is one commit.");
        text.distribution("kassa_batch_commands", &[], &self.commands_per_batch);
        text.histogram("kassa_batch_seconds", "Duration of a batch, from loading its rows to its commit.");
        text.distribution("kassa_batch_seconds", &[], &self.commit_durations);
        self.periodic_jobs.write(text);
        self.webhooks.write(text);
        self.backups.write(text);
        self.log_shipping.write(text);
        text.gauge("kassa_verify_findings", "Mismatches found by the last verification; -1 before the first.");
        text.sample("kassa_verify_findings", &[], self.findings.load(Ordering::Relaxed));
        text.gauge("kassa_verify_timestamp_seconds", "Unix time of the last verification; 0 before the first.");
        text.sample("kassa_verify_timestamp_seconds", &[], self.verified_at_s.load(Ordering::Relaxed));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_are_written_in_the_exposition_format() {
        let (times, mut text) = (Histogram::of_durations(), MetricsText::default());
        for ms in [0, 1, 2, 70, 9_000] {
            times.observe_duration(Duration::from_millis(ms));
        }
        text.histogram("time", "It takes \\ a\nwhile.");
        text.distribution("time", &[("who", "a \"b\"")], &times);
        let text = text.finish();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[..2], ["# HELP time It takes \\\\ a\\nwhile.", "# TYPE time histogram"]);
        for line in [
            r#"time_bucket{who="a \"b\"",le="0.0005"} 1"#,
            r#"time_bucket{who="a \"b\"",le="0.001"} 2"#,
            r#"time_bucket{who="a \"b\"",le="0.0025"} 3"#,
            r#"time_bucket{who="a \"b\"",le="0.1"} 4"#,
            r#"time_bucket{who="a \"b\"",le="5"} 4"#,
            r#"time_bucket{who="a \"b\"",le="+Inf"} 5"#,
            r#"time_sum{who="a \"b\""} 9.073"#,
            r#"time_count{who="a \"b\""} 5"#,
        ] {
            assert!(lines.contains(&line), "{line} is not in {text}");
        }
    }
}
