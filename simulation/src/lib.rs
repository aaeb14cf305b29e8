//! The real engine under random organizers, agents, buyers and strangers, on a clock that jumps, with replies that are
//! lost, databases that fail, and servers that die at any moment. All of it follows from one seed.
//!
//! What was acknowledged is kept in a ledger that knows nothing but answers, and the database is held against it after
//! each step; everything is counted again every 1,000 operations. A seed that fails is made short.

mod books;
mod drive;
mod ledger;
mod place;
pub mod play;
mod run;
mod shrink;
mod step;
mod touched;
mod world;

pub use books::recount;
pub use place::Driver;
pub use run::{Failed, Passed, run_seed, run_steps};
pub use shrink::shrink;
pub use step::{Mishap, Step, steps};
pub use world::Tally;

use std::fmt;

/// Something that must not be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble(String);

impl Trouble {
    fn new(what: &str, about: impl fmt::Debug) -> Self {
        Self(format!("{what}: {about:?}"))
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

macro_rules! trouble_of {
    ($($error:ty: $what:literal,)*) => {
        $(impl From<$error> for Trouble {
            fn from(error: $error) -> Self {
                Self::new($what, error)
            }
        })*
    };
}
trouble_of! {
    std::io::Error: "the place of the files",
    kassa_store::StoreError: "the database",
    kassa_engine::StartError: "a server does not start",
    kassa_engine::Failure: "a server cannot be read",
}
