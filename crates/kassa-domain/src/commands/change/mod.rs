//! The log of changes, as batches write it and as the sequencer orders it.

mod place;
mod seal;

pub use place::place_batch;
pub use seal::seal_batch;
