//! What operators of the platform look at: rows of all partners, and whether the books agree.

use std::sync::Arc;

use kassa_store::rows::MappedRow;
use tokio::sync::OwnedMutexGuard;

use crate::engine::Engine;
use crate::failure::Failure;
use crate::list_turns::ListTurn;
use crate::verify::{self, Verified, VerifyPace, VerifyReport};

/// Rows that are read at a time.
const PAGE_ROWS: usize = 1_000;

impl Engine {
    /// The rows of a table that are wanted, by their keys. The whole table is read, page by page: it is for tables that
    /// have a row for each partner, or a few.
    pub async fn select<R: MappedRow>(&self, is_wanted: impl Fn(&R) -> bool + Send) -> Result<Vec<R>, Failure> {
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            ListTurn::begin().await?;
            let page = self.map_store_result(self.inner.store.scan::<R>(after.as_ref(), PAGE_ROWS).await)?;
            let Some(last) = page.last() else { return Ok(found) };
            after = Some(last.cursor.clone());
            for scanned in page {
                let row = self.map_store_result(scanned.row)?;
                if is_wanted(&row) {
                    found.push(row);
                }
            }
        }
    }

    /// Recounts everything; see [`verify::verify`]. `None` while another recount runs.
    pub async fn verify(&self, pace: VerifyPace) -> Result<Option<VerifyReport>, Failure> {
        let Ok(turn) = Arc::clone(&self.inner.verifications.running).try_lock_owned() else { return Ok(None) };
        self.verify_in(turn, pace).await.map(Some)
    }

    /// Begins a recount, unless one runs: [`Engine::last_verification`] says what it has found. It ends with the
    /// program.
    pub fn start_verification(&self, pace: VerifyPace) {
        let Ok(turn) = Arc::clone(&self.inner.verifications.running).try_lock_owned() else { return };
        let engine = self.clone();
        tokio::spawn(async move {
            if let Err(failure) = engine.verify_in(turn, pace).await {
                tracing::warn!(%failure, "the books could not be recounted");
            }
        });
    }

    /// Whether a recount runs.
    pub fn is_verifying(&self) -> bool {
        self.inner.verifications.running.try_lock().is_err()
    }

    /// The last recount of this server; `None` before the first has ended.
    pub fn last_verification(&self) -> Option<Verified> {
        self.inner.verifications.last.lock().clone()
    }

    async fn verify_in(&self, _turn: OwnedMutexGuard<()>, pace: VerifyPace) -> Result<VerifyReport, Failure> {
        let verified = self.map_store_result(verify::verify(&self.inner.store, pace).await)?;
        let at = self.now();
        self.inner.shared.metrics.record_verification(&verified, at);
        *self.inner.verifications.last.lock() = Some(Verified { at, report: Arc::new(verified.clone()) });
        Ok(verified)
    }
}
