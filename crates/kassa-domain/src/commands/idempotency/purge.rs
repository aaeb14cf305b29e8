//! Forgets answers that were kept long enough.

use super::keep::forget_bytes;
use crate::context::Context;
use crate::context::command::Command;
use crate::model::idempotency::IdempotencyRecordKey;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::PartnerId;
use crate::view::{ReadSet, View};

/// Forgets these answers, as far as they are over. Several nodes may do it at once.
#[derive(Debug)]
pub struct PurgeIdempotencyRecords {
    /// Where they lie.
    pub tag: ShardTag,
    /// Which.
    pub keys: Vec<IdempotencyRecordKey>,
    /// Whose bytes they are: of large ones.
    pub owners: Vec<PartnerId>,
}

impl Command for PurgeIdempotencyRecords {
    /// How many were forgotten.
    type Outcome = u64;

    const SILENT: Option<&'static str> = Some("what is kept under a key was answered before");

    fn shard(&self) -> ShardTag {
        self.tag
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.idempotency_records.extend(&self.keys);
        read_set.partners.extend(&self.owners);
    }

    fn weight(&self) -> u32 {
        u32::try_from(self.keys.len()).unwrap_or(u32::MAX)
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<u64, Refusal> {
        let is_over = |key: &&IdempotencyRecordKey| {
            view.idempotency_records.get(**key).is_some_and(|answer| answer.is_expired(cx.now))
        };
        let over: Vec<IdempotencyRecordKey> = self.keys.iter().filter(is_over).copied().collect();
        for key in &over {
            forget_bytes(*key, view)?;
            view.idempotency_records.remove(*key);
        }
        Ok(over.len() as u64)
    }
}
