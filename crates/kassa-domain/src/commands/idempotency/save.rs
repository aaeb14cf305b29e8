//! Keeps an answer that no transaction could keep: a refusal, which changes no row, or what a client is
//! shown of an answer that was.

use crate::context::Context;
use crate::context::command::Command;
use crate::model::idempotency::{IdempotencyRecord, IdempotencyRecordKey, KeyedHash};
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::view::{ReadSet, View};

/// Keeps an answer before anybody has seen it. One that is there already stands, unless this one
/// finishes it.
#[derive(Debug)]
pub struct SaveIdempotencyRecord {
    /// What it is found by.
    pub key: IdempotencyRecordKey,
    /// Of the request that it answers.
    pub request_digest: KeyedHash,
    /// What it says, encrypted.
    pub encrypted_response: Vec<u8>,
    /// Whether it is what a client shall see of an answer to the same request that is not final.
    pub finalizes: bool,
}

impl Command for SaveIdempotencyRecord {
    /// The answer that was there before, if that is what counts.
    type Outcome = Option<IdempotencyRecord>;

    fn shard(&self) -> ShardTag {
        self.key.tag
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.idempotency_records.push(self.key);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Self::Outcome, Refusal> {
        let there = view.idempotency_records.get(self.key).filter(|there| !there.is_expired(cx.now));
        let kept_at = match there {
            None => cx.now,
            Some(there) if self.finalizes && !there.is_final && there.request_digest == self.request_digest => {
                there.stored_at
            }
            Some(there) => return Ok(Some(there.clone())),
        };
        let Self { key, request_digest: request, encrypted_response: sealed, .. } = self;
        view.idempotency_records.put(IdempotencyRecord {
            key: *key,
            request_digest: *request,
            encrypted_response: sealed.clone(),
            is_final: true,
            stored_at: kept_at,
        });
        Ok(None)
    }
}
