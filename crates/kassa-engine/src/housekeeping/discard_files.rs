//! Deletion of the bytes of attachments that were removed: usually it follows the removal at once, and here when the
//! server stopped in between, or the file store could not be reached.

use std::time::Duration;

use kassa_store::PageWindow;
use kassa_store::queries::AttachmentsToDiscard;

use super::periodic_job::PeriodicJob;
use crate::engine::Engine;
use crate::failure::Failure;

/// Files that are deleted in a round.
const FILES_MAX: u32 = 500;

pub(super) struct DiscardFiles;

impl PeriodicJob for DiscardFiles {
    const NAME: &'static str = "discard_files";
    const INTERVAL: Duration = Duration::from_mins(5);
    const HAS_JITTER: bool = true;

    async fn round(&self, engine: &Engine) -> Result<u64, Failure> {
        engine.discard_removed_files().await
    }
}

impl Engine {
    /// Deletes the bytes of attachments that were removed, and returns of how many.
    pub async fn discard_removed_files(&self) -> Result<u64, Failure> {
        let due = self.page(AttachmentsToDiscard, PageWindow::first(FILES_MAX)).await?.rows;
        let mut discarded = 0;
        for attachment in due {
            discarded += u64::from(self.discard_bytes(attachment.id, attachment.token).await?);
        }
        Ok(discarded)
    }
}
