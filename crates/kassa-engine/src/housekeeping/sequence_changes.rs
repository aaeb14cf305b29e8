//! The sequencer, where several writers commit side by side: batches that were committed get their places in the feed.
//! A batch of this server after a pause starts it at once, and while the feed is its own, it looks for those of
//! others. A feed that nobody prolongs costs nearly nothing.

use std::time::Duration;

use tokio::sync::watch;

use super::failure_log::FailureLog;
use crate::engine::{Engine, SequencerRound};

/// How often whoever has placed the last batches looks for those of other servers.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// The pause after a round that has placed batches: a round is a transaction of its own, which costs the database as much as a batch
/// of a sale does, and those that come meanwhile share the next.
const ROUND_INTERVAL: Duration = Duration::from_millis(25);
/// The same where the log is on several servers of a database: a round writes to all of them, in a commit of two phases.
const SPREAD_ROUND_INTERVAL: Duration = Duration::from_millis(50);
/// How often all others look, and everybody while nothing is written: for batches whose server has died.
const IDLE_INTERVAL: Duration = Duration::from_secs(1);
/// How long the feed counts as this server's own after its last batch: others may be it then.
const OWN_FEED: Duration = Duration::from_millis(kassa_domain::change::SEQUENCER_LEASE_MS.unsigned_abs());

/// Places batches until `stopped` changes.
pub(super) async fn sequence_changes(engine: Engine, mut stopped: watch::Receiver<bool>) {
    let metrics = engine.inner.shared.metrics.periodic_job("sequence_changes");
    let mut failures = FailureLog::new("sequence_changes");
    let mut own_until = tokio::time::Instant::now();
    loop {
        let placing = tokio::select! {
            placing = engine.place_batches() => placing,
            _ = stopped.changed() => return,
        };
        metrics.record(&placing.clone().map(SequencerRound::placed));
        if matches!(placing, Ok(round) if round.placed() > 0) {
            own_until = tokio::time::Instant::now() + OWN_FEED;
        }
        let is_spread = engine.inner.store.is_spread();
        let (waits_it_out, pause) = match failures.record(placing) {
            Some(SequencerRound::PlacedFirst(1..)) if !is_spread => continue,
            Some(SequencerRound::Placed(1..) | SequencerRound::PlacedFirst(1..)) => {
                (true, if is_spread { SPREAD_ROUND_INTERVAL } else { ROUND_INTERVAL })
            }
            Some(SequencerRound::ClaimedElsewhere(until)) => {
                let left = until.ms().saturating_sub(engine.now().ms());
                // The clocks of two servers may differ.
                (true, Duration::from_millis(u64::try_from(left).unwrap_or(0)).clamp(POLL_INTERVAL, OWN_FEED))
            }
            Some(SequencerRound::Placed(0) | SequencerRound::PlacedFirst(0) | SequencerRound::Idle) | None => {
                let is_own = tokio::time::Instant::now() < own_until;
                (false, if is_own { POLL_INTERVAL } else { IDLE_INTERVAL })
            }
        };
        tokio::select! {
            () = engine.inner.shared.signals.unplaced.notified(), if !waits_it_out => {}
            () = tokio::time::sleep(pause) => {}
            _ = stopped.changed() => return,
        }
    }
}
