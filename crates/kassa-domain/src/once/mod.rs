//! Answers that are kept under the `Idempotency-Key` of their requests (decisions §10): whoever asks again
//! under the same key is given the same answer, and nothing is decided twice.
//!
//! The row of an answer is written with what it tells of, in one transaction. What it says is encrypted before
//! it comes here.

mod forget;
mod keep;

pub use forget::ForgetAnswers;
pub use keep::KeepAnswer;

use crate::id::Tag;
use crate::time::Timestamp;
use crate::view::Row;

/// How long an answer is kept: 24 hours.
pub const KEPT_MS: i64 = 24 * 60 * 60 * 1000;

/// A keyed hash.
pub type Digest = [u8; 32];

/// What an answer is found by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AnswerKey {
    /// The shard: that of the event whose command it was, else the caller's own.
    pub tag: Tag,
    /// Of the caller, the event, and the key that the request gave.
    pub digest: Digest,
}

/// An answer that was given, or will be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptAnswer {
    /// What it is found by.
    pub key: AnswerKey,
    /// Of the request that it answers.
    pub request: Digest,
    /// What it says, encrypted.
    pub sealed: Vec<u8>,
    /// Whether clients are given it as it is. Of one that is not, they are shown what they asked to see of it:
    /// that takes its place before anybody is given it.
    pub is_final: bool,
    /// Since when it is kept.
    pub kept_at: Timestamp,
}

impl KeptAnswer {
    /// Whether it has been kept long enough: its key is free again.
    pub fn is_over(&self, now: Timestamp) -> bool {
        now.ms() - self.kept_at.ms() >= KEPT_MS
    }
}

impl Row for KeptAnswer {
    type Key = AnswerKey;

    fn key(&self) -> AnswerKey {
        self.key
    }
}
