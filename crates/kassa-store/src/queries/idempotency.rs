//! Answers that are kept.

use std::cmp::Ordering;

use kassa_domain::Timestamp;
use kassa_domain::idempotency::IdempotencyRecord;

use super::{Conditions, Filter};
use crate::memory::MemoryTables;

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

    fn matches(&self, answer: &IdempotencyRecord, _: &MemoryTables) -> bool {
        answer.stored_at <= self.stored_until
    }

    fn compare(&self, one: &IdempotencyRecord, other: &IdempotencyRecord) -> Ordering {
        (one.stored_at, one.key.digest).cmp(&(other.stored_at, other.key.digest))
    }
}
