//! Sums of what was sold, and what orders are found by: made behind the orders.

use std::time::Duration;

use super::periodic_job::PeriodicJob;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::order_index::OrderIndexFollower;

/// Looks at the orders that have changed.
pub(super) struct FollowOrders(pub(super) OrderIndexFollower);

impl PeriodicJob for FollowOrders {
    const NAME: &'static str = "index_orders";
    const INTERVAL: Duration = Duration::from_millis(500);
    const HAS_JITTER: bool = true;

    async fn round(&self, engine: &Engine) -> Result<u64, Failure> {
        engine.index_orders(&self.0).await
    }
}
