//! Purge of idempotency records whose retention has ended.

use std::collections::BTreeMap;
use std::time::Duration;

use kassa_domain::ShardTag;
use kassa_domain::idempotency::{IdempotencyRecord, PurgeIdempotencyRecords, RECORD_RETENTION_MS};
use kassa_store::queries::ExpiredIdempotencyRecords;

use super::periodic_job::PeriodicJob;
use crate::engine::Engine;
use crate::failure::Failure;

pub(super) struct PurgeEndedRecords;

impl PeriodicJob for PurgeEndedRecords {
    const NAME: &'static str = "purge_idempotency_records";
    const INTERVAL: Duration = Duration::from_mins(5);

    async fn round(&self, engine: &Engine) -> Result<u64, Failure> {
        engine.purge_idempotency_records().await
    }
}

impl Engine {
    /// Removes the records whose retention has ended, and returns how many.
    pub async fn purge_idempotency_records(&self) -> Result<u64, Failure> {
        let due = |now: kassa_domain::Timestamp| ExpiredIdempotencyRecords {
            stored_until: now.plus_ms(-RECORD_RETENTION_MS),
        };
        self.execute_due(due, purge_by_shard).await
    }
}

/// One command for each shard.
fn purge_by_shard(records: Vec<IdempotencyRecord>) -> Vec<PurgeIdempotencyRecords> {
    let mut by_shard: BTreeMap<ShardTag, PurgeIdempotencyRecords> = BTreeMap::new();
    for record in records {
        let tag = record.key.tag;
        let empty = || PurgeIdempotencyRecords { tag, keys: Vec::new(), owners: Vec::new() };
        let purge = by_shard.entry(tag).or_insert_with(empty);
        purge.keys.push(record.key);
        purge.owners.extend(record.charged_to);
    }
    by_shard.into_values().collect()
}
