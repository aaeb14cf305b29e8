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

/// How often the clocks are read if nobody asks for the count.
const POLL_EVERY: Duration = Duration::from_millis(500);
/// A gap of this length between two readings is a pause. It is half of a lease: a lane has the other half left when
/// the pause begins, and so nothing is written after its lease has ended.
const PAUSE_MIN: Duration = Duration::from_millis(NODE_LEASE_MS.unsigned_abs() / 2);

/// Counts the pauses of the program. The count is current for whoever reads it first after a pause.
pub(crate) struct PauseDetector(Mutex<DetectorState>);

struct DetectorState {
    /// `None` if a test records the pauses.
    last_reading: Option<ClockReading>,
    pauses: u64,
}

/// Both clocks of the machine: the monotonic one stops while it is suspended, the other one may be set.
#[derive(Clone, Copy)]
struct ClockReading {
    monotonic: Instant,
    wall: Timestamp,
}

impl ClockReading {
    #[expect(clippy::disallowed_methods, reason = "pauses of the program are real, even if the clock of a test is not")]
    fn now() -> Self {
        Self { monotonic: Instant::now(), wall: SystemClock.now() }
    }

    fn since(self, earlier: Self) -> Duration {
        let wall = u64::try_from(self.wall.ms() - earlier.wall.ms()).unwrap_or(0);
        self.monotonic.saturating_duration_since(earlier.monotonic).max(Duration::from_millis(wall))
    }
}

impl PauseDetector {
    /// Starts to count, on a thread of its own that ends when nobody holds the detector.
    pub(crate) fn start() -> std::io::Result<Arc<Self>> {
        let detector = Arc::new(Self(Mutex::new(DetectorState { last_reading: Some(ClockReading::now()), pauses: 0 })));
        let weak = Arc::downgrade(&detector);
        thread::Builder::new().name("pause-detector".to_owned()).spawn(move || poll_while_alive(&weak))?;
        Ok(detector)
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
        let mut state = self.0.lock();
        let Some(last) = state.last_reading else { return state.pauses };
        // Read under the lock: no reading is older than the one before it.
        let now = now();
        if now.since(last) >= PAUSE_MIN {
            state.pauses += 1;
        }
        state.last_reading = Some(now);
        state.pauses
    }
}

fn poll_while_alive(detector: &Weak<PauseDetector>) {
    while let Some(detector) = detector.upgrade() {
        detector.pauses();
        drop(detector);
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
    use crate::engine::{Engine, EngineParts};
    use crate::failure::Failure;
    use crate::files::FileStore;
    use crate::list_turns::ReadLimits;
    use crate::random;
    use crate::secret::Secret;

    impl ClockReading {
        fn plus(self, up_ms: u64, wall_ms: i64) -> Self {
            Self { monotonic: self.monotonic + Duration::from_millis(up_ms), wall: self.wall.plus_ms(wall_ms) }
        }
    }

    #[test]
    fn a_gap_in_either_clock_is_one_pause() {
        let begun = ClockReading::now();
        let detector = PauseDetector(Mutex::new(DetectorState { last_reading: Some(begun), pauses: 0 }));
        let steps = [
            ((0, 0), 0),
            ((4_999, 4_999), 0),
            ((5_000, 5_000), 1),
            ((500, 500), 1),
            // The machine was asleep.
            ((0, 60_000), 2),
            // Its clock was set back during a pause.
            ((5_000, -60_000), 3),
            ((500, 500), 3),
            ((0, -3_600_000), 3),
        ];
        let mut at = begun;
        for ((up_ms, wall_ms), pauses) in steps {
            at = at.plus(up_ms, wall_ms);
            assert_eq!(detector.poll_at(|| at), pauses, "after {up_ms} and {wall_ms} ms");
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
            read_limits: ReadLimits::default(),
        };
        let engine = Engine::start(parts).await.unwrap();
        let row = async || {
            let view = engine.view(&ReadSet { nodes: vec![0], ..ReadSet::default() }).await.unwrap();
            view.nodes.get(0).cloned().unwrap()
        };
        let renew = || engine.execute(&Actor::System, RenewNodeLease, |_, ()| ());
        renew().await.unwrap();
        let before = row().await;
        let later = ClockReading::now().plus(60_000, 60_000);
        engine.inner.shared.pause_detector.poll_at(|| later);
        assert_eq!((renew().await, row().await), (Err(Failure::Unavailable), before.clone()));
        renew().await.unwrap();
        assert_eq!(row().await.epoch, before.epoch, "nobody has claimed the number, and so the lane keeps it");
        engine.close().await;
    }
}
