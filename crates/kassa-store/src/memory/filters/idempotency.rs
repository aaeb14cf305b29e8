//! What passes the filters of queries/idempotency.rs, and in which order.

use std::cmp::Ordering;

use crate::memory_tables::{FilterInMemory, MemoryTables};
use crate::queries::ExpiredIdempotencyRecords;
use kassa_domain::idempotency::IdempotencyRecord;

impl FilterInMemory<IdempotencyRecord> for ExpiredIdempotencyRecords {
    fn matches(&self, answer: &IdempotencyRecord, _: &MemoryTables) -> bool {
        answer.stored_at <= self.stored_until
    }

    fn compare(&self, one: &IdempotencyRecord, other: &IdempotencyRecord) -> Ordering {
        (one.stored_at, one.key.digest).cmp(&(other.stored_at, other.key.digest))
    }
}
