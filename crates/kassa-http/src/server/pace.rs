//! How fast an address may send, and begin connections: what it sends is received by the threads that answer requests, wanted
//! or not, and so is the start of each connection.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::Instant;

/// How fast an address may send for long, in bytes per second.
const BYTES_PER_SECOND: u64 = 32 * 1024 * 1024;
/// How much of it may come at once, after it has sent less for some time.
const BYTES_BURST: Duration = Duration::from_millis(250);
/// Shorter pieces do not count: they are whole requests, which cost more to answer than to receive.
pub(super) const COUNTED_BYTES_MIN: usize = 4 * 1024;
/// How long it takes at least until the next connection is begun of an address that sends too fast.
const CONNECTION_INTERVAL: Duration = Duration::from_millis(1);
/// Of which so many may begin at once, after some time.
const CONNECTIONS_BURST: Duration = Duration::from_millis(100);

/// The paces of an address, or of a connection where addresses say nothing.
#[derive(Default)]
pub(super) struct ClientPace {
    bytes: Pace,
    connections: Pace,
}

impl ClientPace {
    /// Counts a piece of so many bytes; until when the next one has to wait, if it has to.
    pub(super) fn record_bytes(&self, bytes: usize) -> Option<Instant> {
        let took = u64::try_from(bytes).unwrap_or(u64::MAX).saturating_mul(1_000_000) / BYTES_PER_SECOND;
        self.bytes.record(took, BYTES_BURST)
    }

    /// Until when a new connection has to wait, if it has to: one of an address that sends more than it may. Others are
    /// not counted, whatever their number: those that are silent cost nothing, and many people share an address.
    pub(super) fn record_connection(&self) -> Option<Instant> {
        if !self.bytes.is_behind() {
            return None;
        }
        self.connections.record(micros(CONNECTION_INTERVAL), CONNECTIONS_BURST)
    }

    /// Whether it was slower for so long that nothing need be remembered.
    pub(super) fn has_rested(&self) -> bool {
        self.bytes.has_rested(BYTES_BURST) && self.connections.has_rested(CONNECTIONS_BURST)
    }
}

/// What takes its time one after the other.
struct Pace {
    /// When it was made.
    start: Instant,
    /// By when, in microseconds from [`Pace::RESTED`] before the start, all that was recorded would have happened at the greatest pace.
    due: AtomicU64,
}

impl Default for Pace {
    fn default() -> Self {
        Self { start: Instant::now(), due: AtomicU64::new(0) }
    }
}

impl Pace {
    /// Whoever begins has rested for so long.
    const RESTED: Duration = Duration::from_secs(1);

    fn now(&self) -> u64 {
        micros(Self::RESTED + self.start.elapsed())
    }

    /// Counts what takes so many microseconds; until when the next has to wait, if it has to. After a pause, what is done
    /// within `burst` is free.
    fn record(&self, took: u64, burst: Duration) -> Option<Instant> {
        let now = self.now();
        let earliest = now.saturating_sub(micros(burst));
        let add = |due: u64| Some(due.max(earliest) + took);
        let before = self.due.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add).unwrap_or_else(|due| due);
        let due = before.max(earliest) + took;
        (due > now).then(|| self.start + Duration::from_micros(due) - Self::RESTED)
    }

    /// Whether more was recorded than there was time for.
    fn is_behind(&self) -> bool {
        self.due.load(Ordering::Relaxed) > self.now()
    }

    fn has_rested(&self, burst: Duration) -> bool {
        self.due.load(Ordering::Relaxed) + micros(burst) <= self.now()
    }
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often something is recorded in a second by somebody who waits when told to.
    async fn recorded_in_a_second(record: impl Fn() -> Option<Instant>) -> usize {
        let (start, mut count) = (Instant::now(), 0);
        while start.elapsed() < Duration::from_secs(1) {
            if let Some(until) = record() {
                tokio::time::sleep_until(until).await;
            }
            count += 1;
        }
        count
    }

    #[tokio::test(start_paused = true)]
    async fn a_burst_of_bytes_is_free_and_what_follows_waits() {
        let pace = ClientPace::default();
        assert!(pace.has_rested());
        let pieces = recorded_in_a_second(|| pace.record_bytes(1024 * 1024)).await;
        // Of 32 MiB, and of a quarter of that for the burst.
        assert!((39..=41).contains(&pieces), "{pieces} pieces in a second");
        assert!(!pace.has_rested());
        tokio::time::advance(Duration::from_secs(1)).await;
        assert!(pace.has_rested());
        assert_eq!(pace.record_bytes(1024 * 1024), None);
    }

    #[tokio::test(start_paused = true)]
    async fn new_connections_wait_only_while_their_address_sends_too_fast() {
        let pace = ClientPace::default();
        assert!((0..10_000).all(|_| pace.record_connection().is_none()), "the silent cost nothing");
        while pace.record_bytes(1024 * 1024).is_none() {}
        for _ in 0..100 {
            pace.record_bytes(1024 * 1024);
        }
        let connections = recorded_in_a_second(|| pace.record_connection()).await;
        assert!((1_099..=1_101).contains(&connections), "{connections} connections in a second");
        tokio::time::advance(Duration::from_secs(10)).await;
        assert_eq!(pace.record_connection(), None);
    }
}
