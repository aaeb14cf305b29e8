//! Attempts to send webhooks, and messages that were given up: both are forgotten after thirty days.

use std::collections::BTreeMap;
use std::time::Duration;

use kassa_domain::webhook::{PurgeWebhookAttempts, PurgeWebhookDeliveries, WebhookAttempt, WebhookDelivery};
use kassa_store::queries::{OldParkedDeliveries, OldWebhookAttempts};

use super::periodic_job::PeriodicJob;
use crate::engine::Engine;
use crate::failure::Failure;

pub(super) struct PurgeWebhooks;

impl PeriodicJob for PurgeWebhooks {
    const NAME: &'static str = "purge_webhooks";
    const INTERVAL: Duration = Duration::from_mins(10);
    const HAS_JITTER: bool = true;

    async fn round(&self, engine: &Engine) -> Result<u64, Failure> {
        engine.purge_webhooks().await
    }
}

impl Engine {
    /// Forgets what was kept long enough, and returns how many rows that were.
    pub async fn purge_webhooks(&self) -> Result<u64, Failure> {
        let attempts = self.execute_due(|now| OldWebhookAttempts { now }, attempts_by_webhook).await?;
        let parked = self.execute_due(|now| OldParkedDeliveries { now }, deliveries_by_webhook).await?;
        Ok(attempts + parked)
    }
}

fn attempts_by_webhook(old: Vec<WebhookAttempt>) -> impl Iterator<Item = PurgeWebhookAttempts> {
    let mut numbers: BTreeMap<_, Vec<i64>> = BTreeMap::new();
    for attempt in old {
        numbers.entry(attempt.endpoint).or_default().push(attempt.number);
    }
    numbers.into_iter().map(|(webhook, numbers)| PurgeWebhookAttempts { webhook, numbers })
}

fn deliveries_by_webhook(old: Vec<WebhookDelivery>) -> impl Iterator<Item = PurgeWebhookDeliveries> {
    let mut positions: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for delivery in old {
        positions.entry(delivery.endpoint).or_default().push(delivery.message.position);
    }
    positions.into_iter().map(|(webhook, positions)| PurgeWebhookDeliveries { webhook, positions, is_all: false })
}
