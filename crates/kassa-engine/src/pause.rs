//! Detects pauses of this program: it was stopped, or its machine was suspended, and it could not notice.
//!
//! Commands from before a pause are late: their callers have gone, and may have asked another server.

use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

use kassa_domain::Timestamp;
use kassa_domain::node::NODE_LEASE_MS;
use parking_lot::Mutex;

use crate::clock::{Clock as _, SystemClock};

/// How often the clocks are read when nobody else does.
const POLL_EVERY: Duration = Duration::from_millis(500);
/// A gap of this length between two readings is a pause. It is half of a lease: a lane has the other half left when
/// the pause begins, and so nothing is written after its lease has ended.
const PAUSE_MIN: Duration = Duration::from_millis(NODE_LEASE_MS.unsigned_abs() / 2);

/// Counts the pauses of the program. The count is current for whoever reads it first after a pause.
pub(crate) struct PauseDetector(Mutex<DetectorState>);

struct DetectorState {
    /// None where a test records the pauses.
    last_reading: Option<ClockReading>,
    pauses: u64,
}

/// By both clocks of the machine: one does not go on while that is asleep, the other may be set.
#[derive(Clone, Copy)]
struct ClockReading {
    monotonic: Instant,
    wall: Timestamp,
}

impl ClockReading {
    #[expect(clippy::disallowed_methods, reason = "whether the program stood still is asked of no clock of a test")]
    fn now() -> Self {
        Self { monotonic: Instant::now(), wall: SystemClock.now() }
    }

    fn since(self, earlier: Self) -> Duration {
        let wall = u64::try_from(self.wall.ms() - earlier.wall.ms()).unwrap_or(0);
        self.monotonic.saturating_duration_since(earlier.monotonic).max(Duration::from_millis(wall))
    }
}

impl PauseDetector {
    /// Begins to count, on a thread of its own that ends with the last who asks.
    pub(crate) fn start() -> std::io::Result<Arc<Self>> {
        let pulse = Arc::new(Self(Mutex::new(DetectorState { last_reading: Some(ClockReading::now()), pauses: 0 })));
        let weak = Arc::downgrade(&pulse);
        thread::Builder::new().name("pulse".to_owned()).spawn(move || poll_while_alive(&weak))?;
        Ok(pulse)
    }

    /// One that reads no clock: it counts the pauses that a test records.
    #[cfg(feature = "test-support")]
    pub(crate) fn manual() -> Arc<Self> {
        Arc::new(Self(Mutex::new(DetectorState { last_reading: None, pauses: 0 })))
    }

    /// Counts a pause that a test simulates.
    #[cfg(feature = "test-support")]
    pub(crate) fn record_pause(&self) {
        self.0.lock().pauses += 1;
    }

    /// The number of pauses so far.
    pub(crate) fn pauses(&self) -> u64 {
        self.poll_at(ClockReading::now)
    }

    fn poll_at(&self, now: impl FnOnce() -> ClockReading) -> u64 {
        let mut beat = self.0.lock();
        let Some(last) = beat.last_reading else { return beat.pauses };
        // Whoever waited for the other does not come with an older time.
        let now = now();
        if now.since(last) >= PAUSE_MIN {
            beat.pauses += 1;
        }
        beat.last_reading = Some(now);
        beat.pauses
    }
}

fn poll_while_alive(pulse: &Weak<PauseDetector>) {
    while let Some(pulse) = pulse.upgrade() {
        pulse.pauses();
        drop(pulse);
        thread::sleep(POLL_EVERY);
    }
}

#[cfg(test)]
mod tests {
    use kassa_domain::node::RenewNodeLease;
    use kassa_domain::{Actor, DecisionSettings, ReadSet};
    use kassa_store::Store;
    use kassa_store::memory::Memory;

    use super::*;
    use crate::{Engine, EngineParts, Failure, FileStore, Secret, random};

    impl ClockReading {
        fn plus(self, up_ms: u64, wall_ms: i64) -> Self {
            Self { monotonic: self.monotonic + Duration::from_millis(up_ms), wall: self.wall.plus_ms(wall_ms) }
        }
    }

    #[test]
    fn a_gap_in_either_clock_is_one_pause() {
        let begun = ClockReading::now();
        let pulse = PauseDetector(Mutex::new(DetectorState { last_reading: Some(begun), pauses: 0 }));
        let steps = [
            ((0, 0), 0),
            ((4_999, 4_999), 0),
            ((5_000, 5_000), 1),
            ((500, 500), 1),
            // The machine was asleep.
            ((0, 60_000), 2),
            // Its clock was set back, and it stood still nevertheless.
            ((5_000, -60_000), 3),
            ((500, 500), 3),
            ((0, -3_600_000), 3),
        ];
        let mut at = begun;
        for ((up_ms, wall_ms), standstills) in steps {
            at = at.plus(up_ms, wall_ms);
            assert_eq!(pulse.poll_at(|| at), standstills, "after {up_ms} and {wall_ms} ms");
        }
    }

    #[tokio::test]
    async fn commands_sent_before_a_pause_are_not_decided() {
        let parts = EngineParts {
            store: Store::Memory(Memory::default()),
            files: FileStore::in_memory(),
            clock: Arc::new(SystemClock),
            random: random::from_seed(1),
            settings: DecisionSettings::default(),
            secret: Secret::new("a secret of these tests, long enough").unwrap(),
            lanes: 1,
        };
        let engine = Engine::start(parts).await.unwrap();
        let row = async || {
            let view = engine.view(&ReadSet { nodes: vec![0], ..ReadSet::default() }).await.unwrap();
            view.nodes.get(0).cloned().unwrap()
        };
        let keep = || engine.execute(&Actor::System, RenewNodeLease, |_, ()| ());
        keep().await.unwrap();
        let before = row().await;
        let later = ClockReading::now().plus(60_000, 60_000);
        engine.inner.shared.pause_detector.poll_at(|| later);
        assert_eq!((keep().await, row().await), (Err(Failure::Unavailable), before.clone()));
        keep().await.unwrap();
        assert_eq!(row().await.epoch, before.epoch, "nobody has taken the number, and so the lane keeps it");
        engine.close().await;
    }
}
