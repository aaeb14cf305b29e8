//! The time, from the system or from a test.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use kassa_domain::Timestamp;

/// Tells the time.
pub trait Clock: Send + Sync {
    /// Now.
    fn now(&self) -> Timestamp;

    /// How long the calling thread has worked: time in which others had the processor does not count.
    fn worked(&self) -> Duration;
}

/// The system's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        #[expect(clippy::disallowed_methods, reason = "this is the clock that all others ask")]
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let ms = since.map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX));
        Timestamp::from_ms(ms)
    }

    fn worked(&self) -> Duration {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::try_from(time).unwrap_or_default()
    }
}

/// A clock that moves only when it is advanced: for tests, and for sample data with a past.
#[derive(Debug)]
pub struct ManualClock(AtomicI64);

impl ManualClock {
    /// A clock that shows `at`.
    pub fn new(at: Timestamp) -> Self {
        Self(AtomicI64::new(at.ms()))
    }

    /// Moves it by `ms` milliseconds, backwards when negative.
    pub fn advance_ms(&self, ms: i64) {
        self.0.fetch_add(ms, Ordering::Relaxed);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_ms(self.0.load(Ordering::Relaxed))
    }

    /// All the time that has passed: nothing interrupts what a test does.
    fn worked(&self) -> Duration {
        Duration::from_millis(u64::try_from(self.now().ms()).unwrap_or_default())
    }
}
