//! The real engine under random organizers, agents, buyers and strangers, on a clock that jumps, with replies that are
//! lost, databases that fail, and servers that die at any moment. All of it follows from one seed.
//!
//! Acknowledged orders are collected from answers alone, and the database is compared with them after
//! each step; everything is counted again every 1,000 operations. A seed that fails is made short.

mod acknowledged_orders;
mod affected;
pub mod capacity;
mod change_log;
mod database;
mod kept_reads;
mod lane_driver;
mod moved_money;
pub mod play;
mod recount;
mod run;
mod shrink;
mod sim_step;
mod world;

pub use database::DatabaseDriver;
pub use recount::recount;
pub use run::{FailedRun, RunSummary, run_seed, run_steps};
pub use shrink::shrink;
pub use sim_step::{Disruption, SimStep, steps};
pub use world::Tally;

use std::fmt;

/// Something that must not be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation(String);

impl Violation {
    fn new(what: &str, about: impl fmt::Debug) -> Self {
        Self(format!("{what}: {about:?}"))
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

macro_rules! violation_from {
    ($($error:ty: $what:literal,)*) => {
        $(impl From<$error> for Violation {
            fn from(error: $error) -> Self {
                Self::new($what, error)
            }
        })*
    };
}
violation_from! {
    std::io::Error: "the place of the files",
    kassa_store::StoreError: "the database",
    kassa_engine::StartError: "a server does not start",
    kassa_engine::Failure: "a server cannot be read",
}
