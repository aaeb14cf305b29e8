//! What tests and the simulation ask of an engine, and a server does not.

use futures_util::future::join_all;

use crate::lanes::Lanes;
use crate::pause::PauseDetector;
use crate::{Engine, EngineParts, Failure, ManualLane, StartError, claim_lanes};

impl Engine {
    /// Starts without a thread: commands wait until the test runs a batch of its lanes. One seed then decides what
    /// happens, and in which order.
    pub async fn start_manual(parts: EngineParts) -> Result<(Self, Vec<ManualLane>), StartError> {
        let (common, lanes) = claim_lanes(&parts, PauseDetector::manual()).await?;
        let (queues, lanes) = Lanes::manual(lanes);
        Ok((Self::assemble(parts, common, queues), lanes))
    }

    /// Renews the numbers of all lanes now, also of those that have nothing to write.
    pub async fn renew_numbers(&self) -> Result<(), Failure> {
        let kept = join_all((0..self.inner.lanes.count()).map(|at| self.renew_number(at))).await;
        kept.into_iter().collect()
    }
}
