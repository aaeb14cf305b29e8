//! Writers and readers at the same time.

use kassa_domain::user::User;
use kassa_domain::{ReadSet, View};
use kassa_store::{Store, StoreError};
use tokio::runtime::Handle;
use tokio::task::{JoinHandle, spawn_blocking};

use crate::database::Database;
use crate::samples;

const WRITERS: usize = 3;
const TURNS: i64 = 20;

/// Adds one to the revision of two users `TURNS` times, on a thread of its own.
fn write_beside(store: &Store, seed: u64) -> JoinHandle<()> {
    let (store, runtime) = (store.clone(), Handle::current());
    spawn_blocking(move || {
        let mut writer = store.writer(seed).unwrap();
        let mut decide = |view: &mut View| {
            count_up(view);
            Ok(())
        };
        for _ in 0..TURNS {
            // Another writer may have been faster: then the batch runs again.
            while let Err(error) = runtime.block_on(writer.transact(&both(), &mut decide)) {
                assert!(matches!(error, StoreError::Conflict(_)), "{error:?}");
            }
        }
    })
}

fn both() -> ReadSet {
    ReadSet { users: vec![samples::user(1).id, samples::user(2).id], ..ReadSet::default() }
}

fn count_up(view: &mut View) {
    for user in both().users {
        let user = view.users.get(user).unwrap().clone();
        view.users.put(User { revision: user.revision + 1, ..user });
    }
}

async fn given_two_users(db: &Database) {
    db.insert(|view| [1, 2].map(samples::user).into_iter().for_each(|user| view.users.put(user))).await;
}

pub(crate) async fn writers_side_by_side_lose_no_change(db: Database) {
    given_two_users(&db).await;
    let writers: Vec<_> = (0..).take(WRITERS).map(|seed| write_beside(&db.store, seed)).collect();
    for writer in writers {
        writer.await.unwrap();
    }
    let revisions: Vec<i64> = db.rows::<User>().await.iter().map(|user| user.revision).collect();
    assert_eq!(revisions, [1 + i64::try_from(WRITERS).unwrap() * TURNS; 2]);
}

pub(crate) async fn readers_see_all_of_a_batch_or_nothing(db: Database) {
    given_two_users(&db).await;
    let writer = write_beside(&db.store, 1);
    while !writer.is_finished() {
        let view = db.view(both()).await;
        let [one, other] = [1, 2].map(|key| view.users.get(samples::user(key).id).unwrap().revision);
        assert_eq!(one, other);
    }
    writer.await.unwrap();
}
