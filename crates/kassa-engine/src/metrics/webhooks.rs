//! What is counted of webhooks.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use kassa_domain::Timestamp;
use kassa_domain::webhook::{EndpointHealth, WebhookResult};

use super::{Counter, MetricsText};

/// What is counted of webhooks.
#[derive(Debug, Default)]
pub(crate) struct WebhookMetrics {
    taken: Counter,
    refused: Counter,
    unanswered: Counter,
    enabled: AtomicU64,
    failing: AtomicU64,
    undelivered_s: AtomicI64,
}

impl WebhookMetrics {
    /// An attempt has ended.
    pub(crate) fn count(&self, result: &WebhookResult) {
        let counter = match result {
            WebhookResult::Answered { .. } if result.is_success() => &self.taken,
            WebhookResult::Answered { .. } => &self.refused,
            WebhookResult::Unanswered(_) => &self.unanswered,
        };
        counter.add(1);
    }

    /// How the enabled endpoints do, and since when something waits for each, if anything does.
    pub(crate) fn show<'a>(
        &self,
        endpoints: impl Iterator<Item = (&'a EndpointHealth, Option<Timestamp>)>,
        now: Timestamp,
    ) {
        let (mut enabled, mut failing, mut undelivered_ms) = (0, 0, 0);
        for (health, undelivered_since) in endpoints {
            enabled += 1;
            failing += u64::from(health.failing_since.is_some());
            undelivered_ms = undelivered_ms.max(undelivered_since.map_or(0, |since| now.ms() - since.ms()));
        }
        self.enabled.store(enabled, Ordering::Relaxed);
        self.failing.store(failing, Ordering::Relaxed);
        self.undelivered_s.store(undelivered_ms / 1_000, Ordering::Relaxed);
    }

    pub(crate) fn write(&self, text: &mut MetricsText) {
        let name = "kassa_webhook_attempts_total";
        text.counter(name, "Attempts to send a webhook, by what came of them.");
        text.sample(name, &[("result", "taken")], self.taken.get());
        text.sample(name, &[("result", "refused")], self.refused.get());
        text.sample(name, &[("result", "unanswered")], self.unanswered.get());
        text.gauge("kassa_webhooks_enabled", "Endpoints of webhooks that are enabled.");
        text.sample("kassa_webhooks_enabled", &[], self.enabled.load(Ordering::Relaxed));
        text.gauge("kassa_webhooks_failing", "Enabled endpoints whose last attempt failed.");
        text.sample("kassa_webhooks_failing", &[], self.failing.load(Ordering::Relaxed));
        let name = "kassa_webhook_undelivered_seconds";
        text.gauge(name, "How long that has waited which waits longest for an enabled endpoint.");
        text.sample(name, &[], self.undelivered_s.load(Ordering::Relaxed));
    }
}
