//! The end of registrations that were not confirmed in time.

use std::time::Duration;

use kassa_domain::user::{LapseRegistration, User};
use kassa_store::queries::LapsedRegistrations;

use super::periodic_job::PeriodicJob;
use crate::engine::Engine;
use crate::failure::Failure;

pub(super) struct LapseRegistrations;

impl PeriodicJob for LapseRegistrations {
    const NAME: &'static str = "lapse_registrations";
    const INTERVAL: Duration = Duration::from_mins(5);

    async fn round(&self, engine: &Engine) -> Result<u64, Failure> {
        engine.lapse_registrations().await
    }
}

impl Engine {
    /// Ends the registrations whose time for a confirmation is over, and returns how many.
    pub async fn lapse_registrations(&self) -> Result<u64, Failure> {
        let lapse = |user: User| LapseRegistration { user: user.id };
        let lapsed = self.execute_due(|now| LapsedRegistrations { now }, |users| users.into_iter().map(lapse)).await?;
        if lapsed > 0 {
            self.invalidate_credentials();
        }
        Ok(lapsed)
    }
}
