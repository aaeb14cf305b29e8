//! Sending of webhooks. It has no rounds: what the feed has new is looked at as it comes.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

use super::failure_log::FailureLog;
use crate::engine::Engine;
use crate::webhooks::{SenderParts, WebhookSender, WebhookSettings};

/// How often the list of endpoints is read anew when nobody has signalled a change: others may have changed it.
const REFRESH_INTERVAL: Duration = Duration::from_secs(5);
/// How long a stop waits for messages that are under way.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(10);

/// Sends webhooks until `stopped` changes.
pub(super) async fn send_webhooks(engine: Engine, settings: WebhookSettings, mut stopped: watch::Receiver<bool>) {
    let mut sender = WebhookSender::new(SenderParts::new(engine.clone(), &settings));
    let mut failures = FailureLog::new("send_webhooks");
    let mut news = engine.watch_feed();
    let mut refresh_at = Instant::now();
    loop {
        news.borrow_and_update();
        if refresh_at <= Instant::now() {
            failures.record(sender.refresh().await);
            refresh_at = Instant::now() + REFRESH_INTERVAL;
        }
        failures.record(sender.look_at_feed().await);
        sender.start_due();
        let wake_at = sender.due_at().map_or(refresh_at, |due_at| due_at.min(refresh_at));
        tokio::select! {
            ended = sender.next_ended() => {
                failures.record(ended);
            }
            // Where nobody is to be told, a sale goes on without a look at each of its batches.
            _ = news.changed(), if sender.has_endpoints() => {}
            () = engine.inner.shared.signals.webhooks.notified() => refresh_at = Instant::now(),
            () = tokio::time::sleep_until(wake_at) => {}
            _ = stopped.changed() => break,
        }
    }
    if tokio::time::timeout(DRAIN_TIMEOUT, sender.drain()).await.is_err() {
        tracing::warn!("shutting down with webhooks in flight; they will be sent again");
    }
}
