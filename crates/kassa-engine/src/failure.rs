//! Why a call to the engine gave no result.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use kassa_domain::Refusal;
use kassa_store::StoreError;
use kassa_store::memory_budget::MemoryExceeded;

use crate::clock::Clock;
use crate::metrics::Counter;

/// The shortest outage that the log reports: a database that comes and goes is reported no more often.
const OUTAGE_MIN_MS: u64 = 5_000;

/// Logs outages of an engine's database: one line when it becomes unavailable, and one when it is available again.
pub(crate) struct OutageTracker {
    clock: Arc<dyn Clock>,
    is_down: AtomicBool,
    down_since_ms: AtomicI64,
    count: Counter,
}

impl OutageTracker {
    pub(crate) fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock, is_down: AtomicBool::new(false), down_since_ms: AtomicI64::new(0), count: Counter::default() }
    }

    /// Whether an outage was logged that has not ended.
    pub(crate) fn is_down(&self) -> bool {
        self.is_down.load(Ordering::Acquire)
    }

    /// How many outages there were.
    pub(crate) fn total(&self) -> u64 {
        self.count.get()
    }

    /// Ends an outage, unless it has only just begun: the database has answered.
    pub(crate) fn record_success(&self) {
        if !self.is_down.load(Ordering::Acquire) {
            return;
        }
        let began_at_ms = self.down_since_ms.load(Ordering::Acquire);
        let is_long_ago = self.clock.now().ms().abs_diff(began_at_ms) >= OUTAGE_MIN_MS;
        if is_long_ago && self.is_down.swap(false, Ordering::AcqRel) {
            tracing::info!("the database is available again");
        }
    }

    /// Logs an error of the store, and returns what its caller may know of it. Of an outage, only the first is a warning.
    pub(crate) fn record_error(&self, error: StoreError) -> Failure {
        match error {
            StoreError::Unavailable(text) => {
                if !self.is_down.load(Ordering::Acquire) {
                    self.down_since_ms.store(self.clock.now().ms(), Ordering::Release);
                }
                if self.is_down.swap(true, Ordering::AcqRel) {
                    tracing::debug!(error = text, "the database is still unavailable");
                } else {
                    self.count.add(1);
                    tracing::warn!(error = text, "the database is unavailable");
                }
                Failure::Unavailable
            }
            // Under load there are thousands of these.
            StoreError::Busy(text) => {
                tracing::debug!(error = text, "the database is busy");
                Failure::Busy
            }
            StoreError::ReadTimeout => {
                tracing::debug!("a read took longer than it may");
                Failure::ReadTimeout
            }
            StoreError::TooLarge => Failure::TooLarge,
            StoreError::MemorySpent => Failure::Busy,
            StoreError::Conflict(text) => {
                tracing::warn!(error = text, "a batch gave up after repeated conflicts");
                Failure::Unavailable
            }
            error @ (StoreError::Constraint(_)
            | StoreError::Corrupt(_)
            | StoreError::Abandoned
            | StoreError::NewerSchema { .. }
            | StoreError::Migration { .. }
            | StoreError::Foreign(_)
            | StoreError::Locked(_)) => Failure::internal(&error.to_string()),
        }
    }
}

/// Why a call gave no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The command was refused.
    #[error("{0}")]
    Refused(#[from] Refusal),
    /// Too many commands are waiting: nothing was decided, and the caller may try again later.
    #[error("the service is busy")]
    Busy,
    /// What is to be shown is too long: it would be again.
    #[error("what is to be shown is too long")]
    TooLarge,
    /// Too many heavy commands of the same tenant are waiting: nothing was decided, and the caller may try again later.
    #[error("too many large changes are waiting")]
    TooManyHeavy,
    /// Enough answers are kept under the idempotency keys of the same tenant for now: nothing was decided, and the caller
    /// may try again later, or without a key.
    #[error("too many answers are kept under idempotency keys")]
    TooManyAnswers {
        /// How long to wait, in seconds.
        wait_s: u64,
    },
    /// The database, the file store or the lane is unavailable: the caller may try again later.
    #[error("the service is unavailable")]
    Unavailable,
    /// A read took longer than one may: less of it may be read, or the same later.
    #[error("the read takes too long")]
    ReadTimeout,
    /// A defect of the server; the log has it under this id.
    #[error("internal error {0}")]
    Internal(String),
}

impl From<MemoryExceeded> for Failure {
    fn from(exceeded: MemoryExceeded) -> Self {
        match exceeded {
            MemoryExceeded::TooLarge => Self::TooLarge,
            MemoryExceeded::Spent => Self::Busy,
        }
    }
}

impl Failure {
    /// Logs a defect of the server under an id that the caller can quote.
    pub fn internal(error: &str) -> Self {
        let incident = format!("{:016x}", random::next_incident());
        tracing::error!(incident, error, "internal error");
        Self::Internal(incident)
    }
}

mod random {
    use std::sync::LazyLock;

    use parking_lot::Mutex;

    static INCIDENTS: LazyLock<Mutex<Box<dyn kassa_domain::context::RandomBits>>> =
        LazyLock::new(|| Mutex::new(crate::random::from_system()()));

    pub(super) fn next_incident() -> u64 {
        INCIDENTS.lock().next_u64()
    }
}

#[cfg(test)]
mod tests {
    use kassa_domain::Timestamp;

    use super::*;
    use crate::clock::ManualClock;

    #[test]
    fn an_outage_is_logged_once_and_its_end_after_some_seconds() {
        let clock = Arc::new(ManualClock::new(Timestamp::from_ms(0)));
        let outage = OutageTracker::new(Arc::<ManualClock>::clone(&clock));
        let is_logged = || outage.is_down.load(Ordering::Acquire);
        let fail = || outage.record_error(StoreError::Unavailable("unavailable".to_owned()));
        assert_eq!(outage.record_error(StoreError::Busy("in use".to_owned())), Failure::Busy);
        assert!(!is_logged(), "a busy database is no outage");
        // It comes and goes.
        for ms in [0, 1_000, 3_999] {
            clock.advance_ms(ms);
            assert_eq!(fail(), Failure::Unavailable);
            outage.record_success();
            assert!(is_logged(), "{ms}");
        }
        clock.advance_ms(1);
        outage.record_success();
        assert!(!is_logged());
        assert_eq!(fail(), Failure::Unavailable);
        assert!(is_logged());
    }

    #[test]
    fn an_outage_of_one_engine_is_not_that_of_another() {
        let clock: Arc<dyn Clock> = Arc::new(ManualClock::new(Timestamp::from_ms(0)));
        let [one, other] = [OutageTracker::new(Arc::clone(&clock)), OutageTracker::new(clock)];
        one.record_error(StoreError::Unavailable("unavailable".to_owned()));
        assert!(one.is_down.load(Ordering::Acquire) && !other.is_down.load(Ordering::Acquire));
    }
}
