//! Purge of changes that were kept long enough.

use std::time::Duration;

use super::periodic_job::PeriodicJob;
use crate::engine::Engine;
use crate::failure::Failure;

/// Removes batches of changes that were decided so long ago, and the entries of those who saw them.
pub(super) struct PurgeChanges {
    pub(super) kept: Duration,
}

impl PeriodicJob for PurgeChanges {
    const NAME: &'static str = "purge_changes";
    const INTERVAL: Duration = Duration::from_mins(1);
    const HAS_JITTER: bool = true;

    async fn round(&self, engine: &Engine) -> Result<u64, Failure> {
        let kept_ms = i64::try_from(self.kept.as_millis()).unwrap_or(i64::MAX / 2);
        engine.purge_batches(engine.now().plus_ms(-kept_ms)).await
    }
}
