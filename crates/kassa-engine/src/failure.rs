//! Why a call to the engine gave no result.

use std::sync::atomic::{AtomicBool, Ordering};

use kassa_domain::Refusal;
use kassa_store::StoreError;

/// Whether the log says that the database is away.
static IS_AWAY: AtomicBool = AtomicBool::new(false);

/// The database has done something: if it was away, the log tells that it is back.
pub(crate) fn is_at_work() {
    if IS_AWAY.load(Ordering::Relaxed) && IS_AWAY.swap(false, Ordering::Relaxed) {
        tracing::info!("the database is available again");
    }
}

/// A failed call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The decision was no.
    #[error("{0}")]
    Refused(#[from] Refusal),
    /// Too much is waiting: nothing was decided, come back later.
    #[error("the service is busy")]
    Busy,
    /// The database cannot work now: come back later.
    #[error("the service is not available")]
    Unavailable,
    /// A mistake of the house; it is in the log under this id.
    #[error("internal error {0}")]
    Internal(String),
}

impl Failure {
    /// Logs a failure of storage, once, and hides it. As long as the database is away, the first says it for all.
    pub fn from_store(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable(text) => {
                if IS_AWAY.swap(true, Ordering::Relaxed) {
                    tracing::debug!(error = text, "the database is still not available");
                } else {
                    tracing::warn!(error = text, "the database is not available");
                }
                Self::Unavailable
            }
            StoreError::Conflict(text) => {
                tracing::warn!(error = text, "rows have changed under a batch too often");
                Self::Unavailable
            }
            error @ (StoreError::Constraint(_)
            | StoreError::Corrupt(_)
            | StoreError::Abandoned
            | StoreError::NewerSchema { .. }
            | StoreError::Step { .. }
            | StoreError::Foreign(_)
            | StoreError::Locked(_)) => Self::internal(&error.to_string()),
        }
    }

    /// Logs a mistake of the house under an id that the caller can quote.
    pub fn internal(error: &str) -> Self {
        let incident = format!("{:016x}", random::next_incident());
        tracing::error!(incident, error, "internal error");
        Self::Internal(incident)
    }
}

mod random {
    use std::sync::LazyLock;

    use parking_lot::Mutex;

    static INCIDENTS: LazyLock<Mutex<Box<dyn kassa_domain::context::Random>>> =
        LazyLock::new(|| Mutex::new(crate::random::from_system()()));

    pub(super) fn next_incident() -> u64 {
        INCIDENTS.lock().next_u64()
    }
}
