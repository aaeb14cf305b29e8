//! How fast an address may send: what it sends is received by the threads that answer requests, wanted or not.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::Instant;

/// How fast an address may send for long, in bytes per second.
const BYTES_PER_SECOND: u64 = 32 * 1024 * 1024;
/// How much of it may come at once, after it has sent less for some time.
const BURST: Duration = Duration::from_millis(250);
/// Shorter pieces do not count: they are whole requests, which cost more to answer than to receive.
pub(super) const COUNTED_BYTES_MIN: usize = 4 * 1024;

/// The pace of an address, or of a connection where addresses say nothing.
pub(super) struct ReadPace {
    start: Instant,
    /// By when, in microseconds from the start, all that was sent would have come at the greatest pace.
    due: AtomicU64,
}

impl Default for ReadPace {
    fn default() -> Self {
        Self { start: Instant::now(), due: AtomicU64::new(0) }
    }
}

impl ReadPace {
    /// Counts a piece of so many bytes; until when the next one has to wait, if it has to.
    pub(super) fn record(&self, bytes: usize) -> Option<Instant> {
        let took = u64::try_from(bytes).unwrap_or(u64::MAX).saturating_mul(1_000_000) / BYTES_PER_SECOND;
        let now = micros(self.start.elapsed());
        let earliest = now.saturating_sub(micros(BURST));
        let add = |due: u64| Some(due.max(earliest) + took);
        let before = self.due.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add).unwrap_or_else(|due| due);
        let due = before.max(earliest) + took;
        (due > now).then(|| self.start + Duration::from_micros(due))
    }
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_burst_is_free_and_what_follows_waits() {
        const PIECE: usize = 1024 * 1024;
        let pace = ReadPace::default();
        tokio::time::advance(Duration::from_secs(10)).await;
        let (start, mut pieces) = (Instant::now(), 0);
        while start.elapsed() < Duration::from_secs(1) {
            if let Some(until) = pace.record(PIECE) {
                tokio::time::sleep_until(until).await;
            }
            pieces += 1;
        }
        // Of 32 MiB, and of a quarter of that for the burst.
        assert!((39..=41).contains(&pieces), "{pieces} pieces in a second");
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(pace.record(PIECE), None, "it has rested");
    }
}
