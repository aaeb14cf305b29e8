//! Keeps an answer that no transaction could keep: a refusal, which changes no row, or what a client is
//! shown of an answer that was.

use super::keep::put_answer;
use crate::commands::usage::QuotaCheck;
use crate::context::Context;
use crate::context::command::{Command, LIGHT_WEIGHT, rows_of_text};
use crate::model::idempotency::{IdempotencyRecord, IdempotencyRecordKey, KeyedHash, LARGE_ANSWER_BYTES};
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::PartnerId;
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
    /// The partner for which it is kept.
    pub owner: Option<PartnerId>,
    /// Whether it is what a client shall see of an answer to the same request that is not final.
    pub finalizes: bool,
}

impl Command for SaveIdempotencyRecord {
    /// The answer that was there before, if that is what counts.
    type Outcome = Option<IdempotencyRecord>;

    const SILENT: Option<&'static str> = Some("what is kept under a key was answered before");

    fn shard(&self) -> ShardTag {
        self.key.tag
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.idempotency_records.push(self.key);
        if self.encrypted_response.len() >= LARGE_ANSWER_BYTES {
            read_set.partners.extend(self.owner);
        }
    }

    fn weight(&self) -> u32 {
        LIGHT_WEIGHT + rows_of_text(self.encrypted_response.len())
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Self::Outcome, Refusal> {
        let there = view.idempotency_records.get(self.key).filter(|there| !there.is_expired(cx.now));
        let (stored_at, check) = match there {
            None => (cx.now, QuotaCheck::Enforced(&cx.settings.quotas)),
            Some(there) if self.finalizes && !there.is_final && there.request_digest == self.request_digest => {
                // What it answers was decided: the client is told, however much is kept for that.
                (there.stored_at, QuotaCheck::Skipped)
            }
            Some(there) => return Ok(Some(there.clone())),
        };
        let record = IdempotencyRecord {
            key: self.key,
            request_digest: self.request_digest,
            encrypted_response: self.encrypted_response.clone(),
            is_final: true,
            stored_at,
            charged_to: None,
        };
        put_answer(record, self.owner, check, view)?;
        Ok(None)
    }
}
