//! What tests and the simulation need of an engine, and a server does not.

use futures_util::future::join_all;

use super::{Engine, EngineParts};
use crate::failure::Failure;
use crate::lane::ManualLane;
use crate::lanes::Lanes;
use crate::pause::PauseDetector;
use crate::start_error::StartError;

impl Engine {
    /// Starts without a thread: commands wait until the test runs a batch of its lanes. One seed then decides what
    /// happens, and in which order.
    pub async fn start_manual(parts: EngineParts) -> Result<(Self, Vec<ManualLane>), StartError> {
        let (shared, lanes) = super::start::claim_lanes(&parts, PauseDetector::manual()).await?;
        let (queues, lanes) = Lanes::manual(lanes, &parts.store);
        Ok((Self::assemble(parts, shared, queues), lanes))
    }

    /// Renews the leases of all lanes now, also of those that have nothing to write.
    pub async fn renew_leases(&self) -> Result<(), Failure> {
        let renewed = join_all((0..self.inner.lanes.count()).map(|lane| self.renew_lease(lane))).await;
        renewed.into_iter().collect()
    }
}
