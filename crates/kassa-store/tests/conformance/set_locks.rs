//! The sets of an event are its mutex, also while a batch waits for other rows.

use kassa_domain::event::EventId;
use kassa_domain::set::SetId;
use kassa_domain::{ReadSet, View};
use kassa_store::postgres::scratch::TestDatabase;
use kassa_store::{Store, StoreError};
use tokio::task::JoinHandle;
use tokio_postgres::{Client, NoTls};

use crate::database::Database;
use crate::samples::{ELSEWHERE, HERE, event_id};
use crate::tables::sets::set;
use crate::tables::venues::venue;

/// A batch that locks rows, and the sets that it was shown.
async fn lock_rows(store: Store, read_set: ReadSet) -> (Result<(), StoreError>, Vec<SetId>) {
    let mut shown = Vec::new();
    let mut look = |view: &mut View| {
        shown = view.sets.rows().map(|set| set.id).collect();
        Ok(())
    };
    let result = store.writer(2).unwrap().transact(&read_set, &mut look).await;
    (result, shown)
}

fn sets_of(events: &[EventId]) -> ReadSet {
    ReadSet { sets_of: events.to_vec(), ..ReadSet::default() }
}

/// A session that holds locks.
struct Session {
    client: Client,
    connection: JoinHandle<Result<(), tokio_postgres::Error>>,
}

impl Session {
    async fn open(url: &str) -> Self {
        let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
        Self { client, connection: tokio::spawn(connection) }
    }

    async fn lock(&self, statement: &str) {
        self.client.batch_execute(&format!("BEGIN; {statement}")).await.unwrap();
    }

    async fn wait_until_it_blocks_somebody(&self) {
        let blocks =
            "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid)))";
        while !self.client.query_one(blocks, &[]).await.unwrap().get::<_, bool>(0) {
            tokio::task::yield_now().await;
        }
    }

    async fn unlock(&self) {
        self.client.batch_execute("COMMIT").await.unwrap();
    }

    async fn close(self) {
        drop(self.client);
        self.connection.await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn a_set_that_is_made_while_another_is_waited_for_is_not_missed() {
    let (postgres, scratch) = TestDatabase::new().await;
    let db = Database::from_store(Store::Postgres(postgres));
    let mut events = [HERE, ELSEWHERE].map(event_id);
    events.sort_by_key(|event| event.tag());
    db.insert(|view| events.into_iter().for_each(|event| view.sets.put(set(event, 1)))).await;
    let session = Session::open(&scratch.url).await;
    // The batch waits for the first event, or comes to the second one while that gets another set.
    for (key, locked) in (2..).zip(events) {
        session.lock(&format!("SELECT FROM sets WHERE event = {} FOR UPDATE", locked.key())).await;
        let batch = tokio::spawn(lock_rows(db.store.clone(), sets_of(&events)));
        session.wait_until_it_blocks_somebody().await;
        db.insert(|view| view.sets.put(set(events[1], key))).await;
        session.unlock().await;
        let (result, shown) = batch.await.unwrap();
        assert_eq!((result, shown.len()), (Ok(()), usize::try_from(key).unwrap() + 1));
    }
    session.close().await;
}

/// An event without sets has no mutex: what is read of it behind other locks is later than the look for its sets.
#[tokio::test]
async fn the_first_set_of_an_event_is_not_missed_while_other_rows_are_waited_for() {
    let (postgres, scratch) = TestDatabase::new().await;
    let db = Database::from_store(Store::Postgres(postgres));
    let (event, venue) = (event_id(HERE), venue(1));
    db.insert(|view| view.venues.put(venue.clone())).await;
    let session = Session::open(&scratch.url).await;
    session.lock("SELECT FROM venues FOR UPDATE").await;
    let read_set = ReadSet { venues: vec![venue.id], ..sets_of(&[event]) };
    let batch = tokio::spawn(lock_rows(db.store.clone(), read_set));
    session.wait_until_it_blocks_somebody().await;
    db.insert(|view| view.sets.put(set(event, 1))).await;
    session.unlock().await;
    assert_eq!(batch.await.unwrap(), (Ok(()), vec![set(event, 1).id]));
    session.close().await;
}
