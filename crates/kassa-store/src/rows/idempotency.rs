//! Answers that are kept.

use kassa_domain::ShardTag;
use kassa_domain::idempotency::{IdempotencyRecord, IdempotencyRecordKey};

use super::system::{read_tag, read_time};
use super::{Column, MappedRow, RowKey, columns};
use crate::cell::{Cell, RowReader};
use crate::error::StoreError;

impl RowKey for IdempotencyRecordKey {
    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        out.push(self.digest.as_slice().into());
    }

    fn shard_tag(&self) -> Option<ShardTag> {
        Some(self.tag)
    }
}

impl MappedRow for IdempotencyRecord {
    const TABLE: &'static str = "idempotency_records";
    const COLUMNS: &'static [Column] = columns![
        Key Blob "digest",
        Tag Int "tag",
        Mutable Blob "request_digest",
        Mutable Blob "encrypted_response",
        Mutable Int "is_final",
        Mutable Int "stored_at",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        self.key.write(out);
        out.extend([
            self.key.tag.to_i64().into(),
            self.request_digest.as_slice().into(),
            self.encrypted_response.as_slice().into(),
        ]);
        out.extend([self.is_final.into(), self.stored_at.ms().into()]);
    }

    fn read(source: &mut dyn RowReader) -> Result<Self, StoreError> {
        let digest = source.hash()?;
        Ok(Self {
            key: IdempotencyRecordKey { tag: read_tag(source)?, digest },
            request_digest: source.hash()?,
            encrypted_response: source.blob()?,
            is_final: source.flag()?,
            stored_at: read_time(source)?,
        })
    }
}
