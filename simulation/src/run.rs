//! One seed from its first step to its last.

use crate::Violation;
use crate::database::DatabaseDriver;
use crate::sim_step::{SimStep, steps};
use crate::world::{Tally, World};

/// What a seed came to.
#[derive(Clone, Debug)]
pub struct RunSummary {
    /// Operations.
    pub ops: u64,
    /// How often acts of a kind were answered with a word.
    pub tally: Tally,
    /// All that was answered, and all rows, as one number.
    pub digest: u64,
}

/// Where steps failed.
#[derive(Clone, Debug)]
pub struct FailedRun {
    /// The steps up to the one that failed.
    pub steps: Vec<SimStep>,
    /// What must not be.
    pub violation: Violation,
}

/// Plays the steps of a seed, of so many operations.
pub fn run_seed(seed: u64, ops: u64, driver: DatabaseDriver) -> Result<RunSummary, FailedRun> {
    run_steps(seed, &steps(seed, ops), driver)
}

/// Plays steps. The random bits of the servers come from `seed`.
pub fn run_steps(seed: u64, steps: &[SimStep], driver: DatabaseDriver) -> Result<RunSummary, FailedRun> {
    let failed = |steps: &[SimStep], violation| FailedRun { steps: steps.to_vec(), violation };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| failed(&[], error.into()))?;
    runtime.block_on(async {
        let mut world = World::new(seed, driver).await.map_err(|violation| failed(&[], violation))?;
        for (at, step) in steps.iter().enumerate() {
            world.step(step).await.map_err(|violation| failed(&steps[..=at], violation))?;
        }
        world.check_all().await.map_err(|violation| failed(steps, violation))?;
        let digest = world.digest().await.map_err(|violation| failed(steps, violation))?;
        Ok(RunSummary { ops: world.ops(), tally: world.tally().clone(), digest })
    })
}
