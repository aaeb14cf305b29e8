//! Why there is no backup.

use kassa_engine::Failure;

/// Why there is no backup, as a sentence.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BackupError {
    /// Something is wrong with a file, a folder, a bucket or the database.
    #[error("{at}: {reason}")]
    At { at: String, reason: String },
    /// It could not be found out who makes backups.
    #[error("the making of backups could not be claimed: {0}")]
    NotClaimed(Failure),
    /// Another server has begun to make backups, while this one stood still.
    #[error("another server makes backups by now")]
    ClaimedElsewhere,
}

impl BackupError {
    pub(crate) fn at(at: &(impl ToString + ?Sized), reason: &(impl ToString + ?Sized)) -> Self {
        Self::At { at: at.to_string(), reason: reason.to_string() }
    }
}
