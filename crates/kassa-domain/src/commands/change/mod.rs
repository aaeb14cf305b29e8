//! The log of changes, as batches write it and as the sequencer orders it.

mod place;
mod purge;
mod seal;

pub use place::{PLACED_BATCHES_MAX, PlaceBatches, PlaceOutcome};
pub use purge::PurgeBatches;
pub use seal::{seal_and_place_batch, seal_batch};
