//! Expiry of holds.

use std::time::Duration;

use kassa_domain::order::{ExpireOrder, Order};
use kassa_store::queries::ExpiredHolds;

use super::periodic_job::PeriodicJob;
use crate::engine::Engine;
use crate::failure::Failure;

pub(super) struct ExpireOrders;

impl PeriodicJob for ExpireOrders {
    const NAME: &'static str = "expire_orders";
    /// The tickets of an expired hold are for sale within a second.
    const INTERVAL: Duration = Duration::from_millis(250);
    const HAS_JITTER: bool = true;

    async fn round(&self, engine: &Engine) -> Result<u64, Failure> {
        engine.expire_due().await
    }
}

impl Engine {
    /// Expires the holds that are due now, and returns how many.
    pub async fn expire_due(&self) -> Result<u64, Failure> {
        // One that has named other promocodes since it was read is stale: the next round reads it again.
        self.execute_due(|now| ExpiredHolds { now }, |orders| orders.into_iter().map(expire)).await
    }
}

fn expire(order: Order) -> ExpireOrder {
    ExpireOrder { order: order.id, event: order.event, promocodes: order.promocodes }
}
