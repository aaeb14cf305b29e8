//! Batches of changes that are committed side by side.

use std::sync::Arc;

use kassa_domain::change::{AudienceEntry, AudienceKey, BatchId, ChangeBatch};
use kassa_domain::{Id, ReadSet, Timestamp, View};
use kassa_store::postgres::scratch::TestDatabase;
use kassa_store::{Store, StoreError};

fn batch_id(number: i64) -> BatchId {
    BatchId { node: 1, epoch: 1, number }
}

/// An entry that two batches write: the second waits for the end of the first.
const SHARED_PLACE: i64 = 99;

/// Commits a batch of changes, and perhaps the entry.
async fn write(store: Store, number: i64, writes_entry: bool) -> Result<(), StoreError> {
    let decide = &mut |view: &mut View| {
        let committed_at = Timestamp::from_ms(number);
        view.change_batches.put(ChangeBatch { id: batch_id(number), place: None, committed_at, changes: Arc::new([]) });
        if writes_entry {
            let audience = AudienceKey::Partner(Id::root(1));
            view.audience_entries.put(AudienceEntry { audience, place: SHARED_PLACE });
        }
        Ok(())
    };
    store.writer(number.unsigned_abs())?.transact(&ReadSet::default(), decide).await
}

async fn waiting(store: &Store) -> Vec<(i64, i64)> {
    let batches = store.unplaced_batches(9).await.unwrap();
    batches.iter().map(|batch| (batch.id.number, batch.stamp)).collect()
}

/// The negative control of the sequencer: whoever remembers the last stamp that it has seen loses a batch.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_batch_that_is_committed_late_is_lost_to_who_reads_by_stamps_and_waits_for_its_place() {
    let (postgres, scratch) = TestDatabase::new().await;
    let store = Store::Postgres(postgres);
    let entry = format!("INSERT INTO audience_entries (kind, id, place, version) VALUES (0, 1, {SHARED_PLACE}, 1)");
    scratch.execute(&format!("BEGIN; {entry}")).await.unwrap();
    let late = tokio::spawn(write(store.clone(), 1, true));
    while !scratch.has_lock_waiters().await {}
    write(store.clone(), 2, false).await.unwrap();
    let [(2, seen)] = waiting(&store).await[..] else { panic!("{:?}", waiting(&store).await) };
    scratch.execute("ROLLBACK").await.unwrap();
    late.await.unwrap().unwrap();
    let [(1, late), (2, early)] = waiting(&store).await[..] else { panic!("{:?}", waiting(&store).await) };
    assert!(late < early && early == seen, "nobody who asks for what is behind {seen} hears of {late}");
}
