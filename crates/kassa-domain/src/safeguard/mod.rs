//! Guards that tests take away, one at a time, to see the accident that each prevents. Only a build with the feature
//! `controls` can do so, and no build that is shipped has it: elsewhere [`is_enabled`] is the constant `true`.

#[cfg(feature = "controls")]
mod removable;

#[cfg(feature = "controls")]
pub use removable::{DisabledSafeguard, is_enabled};

/// A guard that is code. Those that are constraints of a table are taken out of the tables of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Safeguard {
    /// A row is written only if it still has the version that was loaded.
    VersionCheck,
    /// Rows that are loaded for a write are locked.
    RowLock,
    /// A lane decides nothing once its number was claimed by another.
    EpochCheck,
    /// What was asked before the program stood still is not decided after it.
    PauseCheck,
    /// An answer is what the commit came to.
    ReplyAfterCommit,
    /// An order that is not paid yet has its use of a promocode.
    ReservedPromocodeUse,
    /// What was answered under a key is not decided again.
    IdempotencyCheck,
    /// One writer at a time gives places in the feed, and each batch gets one.
    SequencerClaim,
    /// An entry of a statement is noted once for a payment.
    StatementEntryOnce,
    /// What of the money of a paid order is too much goes back.
    SurplusReturn,
    /// What is kept in memory is given only while reading again would find the same.
    CurrentAnswers,
    /// What other programs have committed moves the marks of all that is kept.
    ForeignBatches,
}

/// Whether guards can be taken away in this build.
pub const REMOVABLE: bool = cfg!(feature = "controls");

/// Whether a guard is there: always, unless a test of this thread has taken it away.
#[cfg(not(feature = "controls"))]
#[must_use]
pub const fn is_enabled(_: Safeguard) -> bool {
    true
}
