//! The database goes away and comes back; a writer stands still.

use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::time::Duration;

use futures_util::future::join_all;
use kassa_domain::user::User;
use kassa_domain::{Id, ReadSet, View};
use kassa_store::postgres::scratch::TestDatabase;
use kassa_store::{Store, StoreError};
use parking_lot::Mutex;
use tokio::runtime::Handle;
use tokio::task::spawn_blocking;

use crate::lost_commits::{user, user_exists};
use crate::proxy::{Proxy, ProxyFault};

/// Readers that do not wait for their answers: more than there are connections.
const READERS_GONE: usize = 20;

#[tokio::test]
async fn the_store_reconnects_when_the_database_returns() {
    let ((_direct, scratch), proxy) = (TestDatabase::new().await, Proxy::start().await);
    let store = Store::Postgres(proxy.open(&scratch.url).await);
    let mut writer = store.writer(1).unwrap();
    let read_set = || ReadSet { users: vec![Id::root(1)], ..ReadSet::default() };
    for key in 1..=2 {
        let mut put = put_user(key);
        writer.transact(&ReadSet::default(), &mut put).await.unwrap();
        assert!(user_exists(&store, key).await);
        proxy.set_fault(ProxyFault::Unreachable);
        let read = store.view(&read_set()).await.err();
        assert!(matches!(read, Some(StoreError::Unavailable(_))), "{read:?}");
        let written = writer.transact(&read_set(), &mut put).await.unwrap_err();
        assert!(matches!(written, StoreError::Unavailable(_)), "{written:?}");
        proxy.set_fault(ProxyFault::None);
        assert!(user_exists(&store, key).await);
    }
    writer.transact(&read_set(), &mut |_: &mut View| Ok(())).await.unwrap();
}

#[tokio::test]
async fn idle_connections_that_were_cut_are_replaced() {
    let ((_direct, scratch), proxy) = (TestDatabase::new().await, Proxy::start().await);
    let store = Store::Postgres(proxy.open(&scratch.url).await);
    let mut writer = store.writer(1).unwrap();
    for key in 1..=3 {
        writer.transact(&ReadSet::default(), &mut put_user(key)).await.unwrap();
        assert!(user_exists(&store, key).await);
        proxy.set_fault(ProxyFault::Unreachable);
        proxy.set_fault(ProxyFault::None);
    }
}

#[tokio::test]
async fn connections_whose_readers_are_gone_are_used_again_and_others_wait_for_them() {
    let ((_direct, scratch), proxy) = (TestDatabase::new().await, Proxy::start().await);
    let store = Store::Postgres(proxy.open(&scratch.url).await);
    let mut writer = store.writer(1).unwrap();
    writer.transact(&ReadSet::default(), &mut put_user(1)).await.unwrap();
    assert!(user_exists(&store, 1).await);
    let opened = proxy.accepted();
    proxy.set_fault(ProxyFault::HoldRepliesUntil(usize::MAX));
    for _ in 0..READERS_GONE {
        let read = tokio::time::timeout(Duration::from_millis(20), user_exists(&store, 1));
        assert!(read.await.is_err(), "nobody answers");
    }
    proxy.set_fault(ProxyFault::None);
    writer.transact(&ReadSet::default(), &mut put_user(2)).await.unwrap();
    let readers = (0..READERS_GONE).map(|_| user_exists(&store, 2));
    assert!(join_all(readers).await.into_iter().all(|exists| exists), "the transaction of whoever left has ended");
    let opened = proxy.accepted() - opened;
    assert!(opened < READERS_GONE / 2, "{opened} connections were opened");
}

/// A node that is stopped in the middle of a batch, as by SIGSTOP, has its rows locked.
#[tokio::test]
async fn a_paused_writer_loses_its_locks_and_retries() {
    let (postgres, _scratch) = TestDatabase::new().await;
    let store = Store::Postgres(postgres);
    let read_set = || ReadSet { users: vec![Id::root(1)], ..ReadSet::default() };
    let mut other = store.writer(1).unwrap();
    other.transact(&ReadSet::default(), &mut put_user(1)).await.unwrap();
    let (stands, standing) = sync_channel(1);
    let (go, goes) = sync_channel(1);
    let (stopped, runtime) = (store.clone(), Handle::current());
    let decided = Arc::<Mutex<u32>>::default();
    let counted = Arc::clone(&decided);
    let stopped = spawn_blocking(move || {
        // Whoever is sent elsewhere takes both ends along.
        let count = Arc::clone(&counted);
        let mut decide = move |view: &mut View| {
            *count.lock() += 1;
            if *count.lock() == 1 {
                stands.send(()).unwrap();
                goes.recv().unwrap();
            }
            count_up(view);
            Ok(())
        };
        runtime.block_on(stopped.writer(2).unwrap().transact(&read_set(), &mut decide)).unwrap();
    });
    spawn_blocking(move || standing.recv().unwrap()).await.unwrap();
    let mut count = |view: &mut View| {
        count_up(view);
        Ok(())
    };
    other.transact(&read_set(), &mut count).await.unwrap();
    go.send(()).unwrap();
    stopped.await.unwrap();
    assert_eq!(*decided.lock(), 2);
    let view = store.view(&read_set()).await.unwrap();
    assert_eq!(view.users.get(Id::root(1)).unwrap().revision, 3, "neither is lost");
}

fn put_user(key: i64) -> impl FnMut(&mut View) -> Result<(), StoreError> + Send {
    move |view| {
        view.users.put(user(key));
        Ok(())
    }
}

fn count_up(view: &mut View) {
    let user = view.users.get(Id::root(1)).unwrap().clone();
    let revision = user.revision + 1;
    view.users.put(User { revision, ..user });
}
