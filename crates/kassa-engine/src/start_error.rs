//! Why an engine does not start.

use kassa_domain::id::NODES_MAX;
use kassa_store::StoreError;

/// Why an engine did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The database does not let it.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A thread could not be made, or ended at once.
    #[error("the engine could not start: {0}")]
    Thread(String),
    /// The database belongs to another secret.
    #[error("the secret is not the one that this database was made with: keys and sessions would be lost")]
    WrongSecret,
    /// No lane, or more than the database takes.
    #[error("{0} lanes: this database takes from one to {1}")]
    LaneCount(usize, usize),
    /// Every number that a writer can have is another's.
    #[error("all {NODES_MAX} numbers of writers are taken: too many servers work on this database")]
    NumbersTaken,
}
