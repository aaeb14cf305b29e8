//! Capacity on paper: a sale of any size as events on a simulated clock, from costs that were measured on one machine.
//!
//! Nothing of the real engine runs here. Requests wait for processors, for lanes, for the lock of an event and for
//! flushes, each as long as [`Costs`] says; what comes of it (who waits, who is refused, what is full first) is what the
//! simulation is for. Times are in microseconds. All randomness follows from one seed.

pub mod arrangement;
pub mod closed_loop;
pub mod command;
mod commit_log;
pub mod costs;
mod event_queue;
mod fleet;
mod latencies;
pub mod limits;
mod numbers;
pub mod on_sale;
mod processors;
mod random_stream;

pub use arrangement::{Arrangement, Processors, Routing};
pub use closed_loop::{ClosedLoop, ClosedLoopReport, LoadKind};
pub use costs::Costs;
pub use on_sale::{Admission, Outage, Sale, SaleReport};

/// Microseconds of a second.
pub const SECOND: u64 = 1_000_000;
