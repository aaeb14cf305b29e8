//! What can go wrong in a database. None of it is ever a business answer.

/// A failure of storage.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// A constraint of the database was about to be broken: a guard under a decision has held.
    #[error("constraint: {0}")]
    Constraint(String),
    /// A row was not as it was loaded. The batch may run again.
    #[error("a row has changed since it was loaded: {0}")]
    Conflict(String),
    /// The database cannot work now: full disk, no permission, away.
    #[error("the database is not available: {0}")]
    Unavailable(String),
    /// The database is well, and others are in the way for too long: all connections are in use, or rows are locked.
    #[error("the database is busy: {0}")]
    Busy(String),
    /// A read took longer than one may: nothing is wrong with the database.
    #[error("a read took longer than it may")]
    ReadTimeout,
    /// What was to be read is too long for one piece of work.
    #[error("what was to be read is too long")]
    TooLarge,
    /// What was read for others takes all memory that there is for that.
    #[error("the memory for what is read is spent")]
    MemorySpent,
    /// The database holds something that this program did not write.
    #[error("the database holds something unexpected: {0}")]
    Corrupt(String),
    /// The decision itself broke off; nothing is wrong with the database.
    #[error("the batch was abandoned")]
    Abandoned,
    /// A newer program has made the database what this one may not work with.
    #[error(
        "the database has schema {found}, for programs that know {needed} at least, and this program knows {known}: \
         use the newer program"
    )]
    NewerSchema {
        /// The newest step of the database.
        found: i64,
        /// The step that a program must know.
        needed: i64,
        /// The newest that this program knows.
        known: i64,
    },
    /// A step of the schema was not applied to its end. The next who applies it begins it again.
    #[error("step {number} of the schema could not be applied: {reason}")]
    Migration {
        /// Its number.
        number: i64,
        /// Why not.
        reason: Box<StoreError>,
    },
    /// The folder or file belongs to something else.
    #[error("{0}")]
    Foreign(String),
    /// Another server works on it.
    #[error("another server is running on {0}")]
    Locked(String),
}
