//! Answers that are kept.

use kassa_domain::idempotency::{IdempotencyRecord, IdempotencyRecordKey};
use kassa_domain::{Id, ShardTag, Timestamp};

use crate::cell::Cell;
use crate::lists::{Comparison, Conditions, Filter, Predicate, SortKey};
use crate::rows::{RowKey, read_tag, read_time, table};

impl RowKey for IdempotencyRecordKey {
    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        out.push(self.digest.as_slice().into());
    }

    fn shard_tag(&self) -> Option<ShardTag> {
        Some(self.tag)
    }
}

table! { IdempotencyRecord, "idempotency_records", |row, source| {
    Key Blob "digest": digest = source.hash()?, row.key.digest.as_slice();
    Tag Int "tag": tag = read_tag(source)?, row.key.tag.to_i64();
    Mutable Blob "request_digest": request_digest = source.hash()?, row.request_digest.as_slice();
    Mutable Blob "encrypted_response": encrypted_response = source.blob()?, row.encrypted_response.as_slice();
    Mutable Int "is_final": is_final = source.flag()?, row.is_final;
    Mutable Int "stored_at": stored_at = read_time(source)?, row.stored_at.ms();
    Mutable Int "charged_to": charged_to = source.int_or_null()?.map(Id::root), row.charged_to.map(Id::key);
} => IdempotencyRecord {
    key: IdempotencyRecordKey { tag, digest },
    request_digest,
    encrypted_response,
    is_final,
    stored_at,
    charged_to,
} }

/// Answers that have been kept since then or longer, the oldest first.
#[derive(Clone, Copy, Debug)]
pub struct ExpiredIdempotencyRecords {
    /// Since when.
    pub stored_until: Timestamp,
}

impl Filter for ExpiredIdempotencyRecords {
    type Row = IdempotencyRecord;

    fn order(&self) -> &'static [SortKey] {
        &[SortKey::Ascending("stored_at"), SortKey::Ascending("digest")]
    }

    fn conditions(&self, conditions: &mut Conditions) {
        conditions.add(Predicate::compare("stored_at", Comparison::AtMost, self.stored_until.ms()));
    }
}
