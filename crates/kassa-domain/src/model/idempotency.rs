//! Answers that are kept under the `Idempotency-Key` of their requests: whoever asks again
//! under the same key is given the same answer, and nothing is decided twice.
//!
//! The row of an answer is written with the changes that it reports, in one transaction. What it says is
//! encrypted before it comes here.

use super::row::{Row, RowKey};
use crate::values::id::ShardTag;
use crate::values::resource_ids::PartnerId;
use crate::values::time::Timestamp;

/// How long an answer is kept: 24 hours.
pub const RECORD_RETENTION_MS: i64 = 24 * 60 * 60 * 1000;

/// From so many bytes on, an answer counts against the quota of the partner that it is kept for. Those of orders and most
/// others are shorter: they are many, and their commands do not meet at the row of a partner.
pub const LARGE_ANSWER_BYTES: usize = 16 * 1024;

/// A keyed hash.
pub type KeyedHash = [u8; 32];

/// What an answer is found by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IdempotencyRecordKey {
    /// The shard: that of the event whose command it was, else the caller's own.
    pub tag: ShardTag,
    /// Of the caller, the event, and the key that the request gave.
    pub digest: KeyedHash,
}

/// An answer that was given, or will be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyRecord {
    /// What it is found by.
    pub key: IdempotencyRecordKey,
    /// Of the request that it answers.
    pub request_digest: KeyedHash,
    /// What it says, encrypted.
    pub encrypted_response: Vec<u8>,
    /// Whether clients are given it as it is. Of one that is not, they are shown what they asked to see of it:
    /// that takes its place before anybody is given it.
    pub is_final: bool,
    /// Since when it is kept.
    pub stored_at: Timestamp,
    /// The partner whose quota its bytes count against, if it is large.
    pub charged_to: Option<PartnerId>,
}

impl IdempotencyRecord {
    /// Whether it has been kept long enough: its key is free again.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        now.ms() - self.stored_at.ms() >= RECORD_RETENTION_MS
    }

    /// The bytes that count against a quota.
    pub fn bytes(&self) -> i64 {
        i64::try_from(self.encrypted_response.len()).unwrap_or(i64::MAX)
    }
}

impl RowKey for IdempotencyRecordKey {}

impl Row for IdempotencyRecord {
    type Key = IdempotencyRecordKey;

    fn key(&self) -> IdempotencyRecordKey {
        self.key
    }
}
