//! Commands on the responses that are kept under idempotency keys.

mod keep;
mod purge;
mod save;

pub use keep::{check_answer_room, keep_answer};
pub use purge::PurgeIdempotencyRecords;
pub use save::SaveIdempotencyRecord;
