//! What it takes to send a message, and the turns of those whose messages are sent.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kassa_domain::change::FeedCursor;
use kassa_domain::partner::PartnerId;
use kassa_domain::webhook::{AttemptReport, Webhook, WebhookMessage};

use super::post::{MessageWriter, WebhookSettings};
use crate::engine::Engine;
use crate::failure::Failure;
use crate::fair_permits::{FairLimits, FairPermits};
use crate::feed::{FeedChange, FeedError};
use crate::metrics::WebhookMetrics;
use crate::outgoing::OutgoingHttp;

/// Messages that are under way to endpoints that take them: in all, and of one partner.
const QUICK_MESSAGES: FairLimits =
    FairLimits { total: 512, per_caller: 16, waiting_per_caller: 1_000, waiting: 10_000 };
/// The same to endpoints that have failed, or are slow: they hold up nobody else.
const SLOW_MESSAGES: FairLimits = FairLimits { total: 128, per_caller: 4, waiting_per_caller: 1_000, waiting: 10_000 };

/// What it takes to send.
#[derive(Clone)]
pub(crate) struct SenderParts {
    pub(crate) engine: Engine,
    outgoing: OutgoingHttp,
    writer: Arc<dyn MessageWriter>,
    quick: FairPermits<PartnerId>,
    slow: FairPermits<PartnerId>,
    pub(super) patience: Patience,
}

/// What came of a message that was to be sent.
pub(super) enum Sending {
    Tried(AttemptReport),
    /// When its turn came, nothing was to be sent any more.
    Left(WebhookMessage),
}

/// How long an endpoint is kept for which there is nothing to send.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    /// For what comes next.
    pub(super) linger: Duration,
    /// For what is due so soon, in milliseconds, that it is as good here as anywhere.
    pub(super) due_soon_ms: i64,
    /// How long one that is another server's is left to that, though it is due: it may have died.
    pub(super) left_to_others: Duration,
}

impl Patience {
    const USUAL: Self =
        Self { linger: Duration::from_secs(5), due_soon_ms: 10_000, left_to_others: Duration::from_millis(1_200) };
    #[cfg(feature = "test-support")]
    pub(super) const NONE: Self = Self { linger: Duration::ZERO, due_soon_ms: 0, left_to_others: Duration::ZERO };
}

impl SenderParts {
    pub(crate) fn new(engine: Engine, settings: &WebhookSettings) -> Self {
        let (quick, slow) = (FairPermits::new(QUICK_MESSAGES), FairPermits::new(SLOW_MESSAGES));
        let WebhookSettings { outgoing, writer } = settings.clone();
        Self { engine, outgoing, writer, quick, slow, patience: Patience::USUAL }
    }

    /// Sends a message, when it is its partner's turn, unless its sender stops before.
    pub(super) async fn attempt(
        &self,
        webhook: Webhook,
        message: WebhookMessage,
        is_stopping: Arc<AtomicBool>,
    ) -> Result<Sending, Failure> {
        let does_well = webhook.health.failures == 0 && webhook.health.slowness == 0;
        let permits = if does_well { &self.quick } else { &self.slow };
        let _permit = permits.acquire(webhook.partner).await.map_err(|_| Failure::Busy)?;
        if is_stopping.load(Ordering::Relaxed) {
            return Ok(Sending::Left(message));
        }
        let webhook = Arc::new(webhook);
        let change = self.change_at(message.position).await?;
        let written = self.writer.write(Arc::clone(&webhook), message, change).await?;
        let posted = self.engine.post_message(&self.outgoing, &webhook, written).await?;
        let (sent_at, duration_ms) = (posted.sent_at, posted.duration_ms);
        let (result, retry_at) = (posted.result, posted.retry_at);
        Ok(Sending::Tried(AttemptReport { message, sent_at, duration_ms, result, retry_at, next: None }))
    }

    /// The change at a position, if it is still kept.
    async fn change_at(&self, position: FeedCursor) -> Result<Option<FeedChange>, Failure> {
        match self.engine.read_feed(position, 1, &|_| true).await {
            Ok(page) => Ok(page
                .changes
                .into_iter()
                .next()
                .filter(|found| (found.batch.place, found.index) == (position.place, position.index))),
            Err(FeedError::Failure(failure)) => Err(failure),
            Err(FeedError::Gone(_) | FeedError::Ahead(_)) => Ok(None),
        }
    }

    pub(super) fn count(&self, report: &AttemptReport) {
        self.metrics().count(&report.result);
    }

    pub(super) fn metrics(&self) -> &WebhookMetrics {
        self.engine.inner.shared.metrics.webhooks()
    }
}
