//! The sets of an event are its mutex, also while a batch waits for those of another one.

use kassa_domain::event::EventId;
use kassa_domain::set::SetId;
use kassa_domain::{ReadSet, View};
use kassa_store::postgres::scratch::TestDatabase;
use kassa_store::{Store, StoreError};
use tokio_postgres::{Client, NoTls};

use crate::database::Database;
use crate::samples::{ELSEWHERE, HERE, event_id};
use crate::tables::sets::set;

/// A batch that locks the sets of events, and those that it was shown.
async fn lock_sets(store: Store, events: [EventId; 2]) -> (Result<(), StoreError>, Vec<SetId>) {
    let mut shown = Vec::new();
    let mut look = |view: &mut View| {
        shown = view.sets.rows().map(|set| set.id).collect();
        Ok(())
    };
    let read_set = ReadSet { sets_of: events.to_vec(), ..ReadSet::default() };
    let result = store.writer(2).unwrap().transact(&read_set, &mut look).await;
    (result, shown)
}

/// Until somebody waits for a lock of this session.
async fn wait_until_it_blocks_somebody(session: &Client) {
    let blocks =
        "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid)))";
    while !session.query_one(blocks, &[]).await.unwrap().get::<_, bool>(0) {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_set_that_is_made_while_another_is_waited_for_is_not_missed() {
    let (postgres, scratch) = TestDatabase::new().await;
    let db = Database::from_store(Store::Postgres(postgres));
    let mut events = [HERE, ELSEWHERE].map(event_id);
    events.sort_by_key(|event| event.tag());
    db.insert(|view| events.into_iter().for_each(|event| view.sets.put(set(event, 1)))).await;
    let (session, connection) = tokio_postgres::connect(&scratch.url, NoTls).await.unwrap();
    let connection = tokio::spawn(connection);
    // The batch waits for the first event, or comes to the second one while that gets another set.
    for (key, locked) in (2..).zip(events) {
        session
            .batch_execute(&format!("BEGIN; SELECT FROM sets WHERE event = {} FOR UPDATE", locked.key()))
            .await
            .unwrap();
        let batch = tokio::spawn(lock_sets(db.store.clone(), events));
        wait_until_it_blocks_somebody(&session).await;
        db.insert(|view| view.sets.put(set(events[1], key))).await;
        session.batch_execute("COMMIT").await.unwrap();
        let (result, shown) = batch.await.unwrap();
        assert_eq!((result, shown.len()), (Ok(()), usize::try_from(key).unwrap() + 1));
    }
    drop(session);
    connection.await.unwrap().unwrap();
}
