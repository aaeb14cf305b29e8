//! Purge of sessions that have lapsed.

use std::time::Duration;

use kassa_domain::Timestamp;
use kassa_domain::session::{PurgeSessions, Session};
use kassa_store::queries::LapsedSessions;

use super::periodic_job::PeriodicJob;
use crate::engine::Engine;
use crate::failure::Failure;

pub(super) struct PurgeLapsedSessions;

impl PeriodicJob for PurgeLapsedSessions {
    const NAME: &'static str = "purge_sessions";
    const INTERVAL: Duration = Duration::from_mins(5);
    const HAS_JITTER: bool = true;

    async fn round(&self, engine: &Engine) -> Result<u64, Failure> {
        engine.purge_sessions().await
    }
}

impl Engine {
    /// Removes the sessions that have lapsed, and returns how many.
    pub async fn purge_sessions(&self) -> Result<u64, Failure> {
        let due = |now: Timestamp| LapsedSessions { until: now };
        // One command for a page: sessions belong to no event, and few are due at a time.
        let purge = |sessions: Vec<Session>| {
            let hashes: Vec<_> = sessions.into_iter().map(|session| session.hash).collect();
            (!hashes.is_empty()).then_some(PurgeSessions { hashes })
        };
        self.execute_due(due, purge).await
    }
}
