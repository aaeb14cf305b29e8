//! Commands on the responses that are kept under idempotency keys.

mod purge;
mod save;

pub use purge::PurgeIdempotencyRecords;
pub use save::SaveIdempotencyRecord;
