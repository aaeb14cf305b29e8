//! Answers that are kept.

use kassa_domain::Timestamp;
use kassa_domain::idempotency::IdempotencyRecord;

use super::{Conditions, Filter};

/// Answers that have been kept since then or longer, the oldest first.
#[derive(Clone, Copy, Debug)]
pub struct ExpiredIdempotencyRecords {
    /// Since when.
    pub stored_until: Timestamp,
}

impl Filter for ExpiredIdempotencyRecords {
    type Row = IdempotencyRecord;
    const ORDER: &'static str = "stored_at, digest";

    fn conditions(&self, sql: &mut Conditions) {
        sql.add("stored_at <= ?", [self.stored_until.ms().into()]);
    }
}
