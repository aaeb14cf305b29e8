//! The database goes away and comes back; a writer stands still.

use std::sync::Arc;
use std::sync::mpsc::sync_channel;

use kassa_domain::user::User;
use kassa_domain::{Id, Needs, View};
use kassa_store::postgres::scratch::Scratch;
use kassa_store::{Store, StoreError};
use parking_lot::Mutex;
use tokio::runtime::Handle;
use tokio::task::spawn_blocking;

use crate::lost_commits::{is_there, user};
use crate::proxy::{Fate, Proxy};

#[tokio::test]
async fn a_database_that_comes_back_is_found_again() {
    let ((_direct, scratch), proxy) = (Scratch::new().await, Proxy::start().await);
    let store = Store::Postgres(proxy.open(&scratch.url).await);
    let mut writer = store.writer(1).unwrap();
    let needs = || Needs { users: vec![Id::root(1)], ..Needs::default() };
    for key in 1..=2 {
        let mut put = putting(key);
        writer.transact(&Needs::default(), &mut put).await.unwrap();
        assert!(is_there(&store, key).await);
        proxy.set(Fate::Away);
        let read = store.view(&needs()).await.err();
        assert!(matches!(read, Some(StoreError::Unavailable(_))), "{read:?}");
        let written = writer.transact(&needs(), &mut put).await.unwrap_err();
        assert!(matches!(written, StoreError::Unavailable(_)), "{written:?}");
        proxy.set(Fate::Pass);
        assert!(is_there(&store, key).await);
    }
    writer.transact(&needs(), &mut |_: &mut View| Ok(())).await.unwrap();
}

#[tokio::test]
async fn connections_that_were_cut_while_idle_are_replaced_unnoticed() {
    let ((_direct, scratch), proxy) = (Scratch::new().await, Proxy::start().await);
    let store = Store::Postgres(proxy.open(&scratch.url).await);
    let mut writer = store.writer(1).unwrap();
    for key in 1..=3 {
        writer.transact(&Needs::default(), &mut putting(key)).await.unwrap();
        assert!(is_there(&store, key).await);
        proxy.set(Fate::Away);
        proxy.set(Fate::Pass);
    }
}

/// A node that is stopped in the middle of a batch, as by SIGSTOP, has its rows locked.
#[tokio::test]
async fn a_writer_that_stands_still_loses_its_locks_and_decides_again() {
    let (postgres, _scratch) = Scratch::new().await;
    let store = Store::Postgres(postgres);
    let needs = || Needs { users: vec![Id::root(1)], ..Needs::default() };
    let mut other = store.writer(1).unwrap();
    other.transact(&Needs::default(), &mut putting(1)).await.unwrap();
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
        runtime.block_on(stopped.writer(2).unwrap().transact(&needs(), &mut decide)).unwrap();
    });
    spawn_blocking(move || standing.recv().unwrap()).await.unwrap();
    let mut count = |view: &mut View| {
        count_up(view);
        Ok(())
    };
    other.transact(&needs(), &mut count).await.unwrap();
    go.send(()).unwrap();
    stopped.await.unwrap();
    assert_eq!(*decided.lock(), 2);
    let view = store.view(&needs()).await.unwrap();
    assert_eq!(view.users.get(Id::root(1)).unwrap().revision, 3, "neither is lost");
}

fn putting(key: i64) -> impl FnMut(&mut View) -> Result<(), StoreError> + Send {
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
