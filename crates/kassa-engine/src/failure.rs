//! Why a call to the engine gave no result.

use kassa_domain::Refusal;
use kassa_store::StoreError;

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
    /// Logs a failure of storage, once, and hides it.
    pub fn from_store(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable(text) | StoreError::Conflict(text) => {
                tracing::warn!(error = text, "the database is not available");
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
