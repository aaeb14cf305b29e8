//! Leases of lanes that have nothing to write. A lane that writes extends its lease with each batch.

use std::time::Duration;

use kassa_domain::node::NODE_LEASE_MS;

use super::periodic_job::PeriodicJob;
use crate::engine::Engine;
use crate::failure::Failure;

/// Extends the lease of one lane.
pub(super) struct RenewLease {
    pub(super) lane: usize,
}

impl PeriodicJob for RenewLease {
    const NAME: &'static str = "renew_leases";
    const INTERVAL: Duration = Duration::from_millis(NODE_LEASE_MS.unsigned_abs() / 5);

    async fn round(&self, engine: &Engine) -> Result<u64, Failure> {
        // Nobody wants to be told of each of them.
        engine.renew_lease(self.lane).await.map(|()| 0)
    }
}
