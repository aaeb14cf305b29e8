//! What other servers add to the feed, while somebody here waits for it.

use std::time::Duration;

use tokio::sync::watch;

use super::failure_log::FailureLog;
use crate::engine::Engine;

/// How often the feed is looked at where other servers prolong it.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// How often where this program alone does: a reply of its database may have been lost.
const ALONE_INTERVAL: Duration = Duration::from_secs(1);

/// Follows the feed until `stopped` changes.
pub(super) async fn follow_feed(engine: Engine, mut stopped: watch::Receiver<bool>) {
    let interval = if engine.inner.store.has_sequencer() { POLL_INTERVAL } else { ALONE_INTERVAL };
    let metrics = engine.inner.shared.metrics.periodic_job("follow_feed");
    let mut failures = FailureLog::new("follow_feed");
    let feed = &engine.inner.shared.feed;
    let mut last = None;
    loop {
        tokio::select! {
            () = tokio::time::sleep(interval), if feed.is_watched() => {}
            () = feed.joined.notified() => {}
            _ = stopped.changed() => return,
        }
        // What lanes of this server have just told needs no look.
        let known = feed.last_place();
        if last.replace(known).is_some_and(|last| last < known) {
            continue;
        }
        let learned = tokio::select! {
            learned = engine.follow_feed() => learned,
            _ = stopped.changed() => return,
        };
        metrics.record(&learned);
        failures.record(learned);
        last = Some(feed.last_place());
    }
}
