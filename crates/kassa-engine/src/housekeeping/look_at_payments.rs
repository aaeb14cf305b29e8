//! Payments whose money is waited for, or is to go back.

use std::time::Duration;

use super::periodic_job::PeriodicJob;
use crate::engine::Engine;
use crate::failure::Failure;

pub(super) struct LookAtPayments;

impl PeriodicJob for LookAtPayments {
    const NAME: &'static str = "look_at_payments";
    const INTERVAL: Duration = Duration::from_secs(1);
    const HAS_JITTER: bool = true;

    async fn round(&self, engine: &Engine) -> Result<u64, Failure> {
        engine.look_at_payments().await
    }
}
