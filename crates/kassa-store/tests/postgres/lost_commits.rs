//! The connection is lost at the commit: whether it was one is looked up, never guessed.

use kassa_domain::node::Node;
use kassa_domain::user::{Account, User};
use kassa_domain::{Id, ReadSet, Timestamp, View};
use kassa_store::postgres::Postgres;
use kassa_store::postgres::scratch::{TestDatabase, TestUser};
use kassa_store::{Store, StoreError, Writer};

use crate::open::{execute, query_json};
use crate::proxy::{Proxy, ProxyFault};

pub(crate) const NODE: u16 = 7;

pub(crate) fn user(key: i64) -> User {
    User {
        id: Id::root(key),
        email: format!("user{key}@example.org").parse().unwrap(),
        account: Account::Customer,
        second_factor: None,
        operator_since: None,
        confirm_by: None,
        first_name: None,
        last_name: None,
        suspension: None,
        created_at: Timestamp::from_ms(0),
        updated_at: Timestamp::from_ms(0),
        revision: 1,
    }
}

pub(crate) async fn user_exists(store: &Store, key: i64) -> bool {
    let view = store.view(&ReadSet { users: vec![Id::root(key)], ..ReadSet::default() }).await.unwrap();
    view.users.get(Id::root(key)).is_some()
}

/// Makes a user in one batch of a node, and tells how often it was decided.
async fn write_user(writer: &mut Writer, read_set: ReadSet, key: i64) -> (Result<(), StoreError>, u32) {
    let mut decided = 0;
    let result = writer
        .transact(&read_set, &mut |view: &mut View| {
            decided += 1;
            if let [node] = read_set.nodes.as_slice() {
                let row = view.nodes.get(*node).cloned().unwrap_or_else(|| Node::new(*node));
                view.nodes.put(Node { last_id: key, ..row });
            }
            view.users.put(user(key));
            Ok(())
        })
        .await;
    (result, decided)
}

pub(crate) fn node_read_set() -> ReadSet {
    ReadSet { nodes: vec![NODE], ..ReadSet::default() }
}

#[tokio::test]
async fn a_commit_whose_reply_was_lost_is_found() {
    let ((direct, scratch), proxy) = (TestDatabase::new().await, Proxy::start().await);
    let (direct, store) = (Store::Postgres(direct), Store::Postgres(proxy.open(&scratch.url).await));
    let mut writer = store.writer(1).unwrap();
    // The first batch makes the row of the node; for the others it is there.
    for key in 1..=3 {
        proxy.set_fault(ProxyFault::CutAfterCommit);
        assert_eq!(write_user(&mut writer, node_read_set(), key).await, (Ok(()), 1), "batch {key}");
        assert_eq!(proxy.fault(), ProxyFault::None, "the answer was lost");
        assert!(user_exists(&direct, key).await);
    }
}

#[tokio::test]
async fn a_batch_whose_commit_never_arrived_runs_again() {
    let ((direct, scratch), proxy) = (TestDatabase::new().await, Proxy::start().await);
    let (direct, store) = (Store::Postgres(direct), Store::Postgres(proxy.open(&scratch.url).await));
    let mut writer = store.writer(1).unwrap();
    for key in 1..=3 {
        proxy.set_fault(ProxyFault::CutBeforeCommit);
        assert_eq!(write_user(&mut writer, node_read_set(), key).await, (Ok(()), 2), "batch {key}");
        assert_eq!(proxy.fault(), ProxyFault::None, "the commit was lost");
        assert!(user_exists(&direct, key).await);
    }
}

/// The writer remembers what its last batch has left in the row of the node, and does not ask for it.
#[tokio::test]
async fn a_lost_commit_is_found_by_what_is_remembered_of_the_last() {
    let ((direct, scratch), proxy) = (TestDatabase::new().await, Proxy::start().await);
    let (direct, store) = (Store::Postgres(direct), Store::Postgres(proxy.open(&scratch.url).await));
    let mut writer = store.writer(1).unwrap();
    for (key, fault, times) in [(1, ProxyFault::CutAfterCommit, 1), (11, ProxyFault::CutBeforeCommit, 2)] {
        for before in 1..=2 {
            assert_eq!(write_user(&mut writer, node_read_set(), key + before).await, (Ok(()), 1));
        }
        proxy.set_fault(fault);
        assert_eq!(write_user(&mut writer, node_read_set(), key).await, (Ok(()), times));
        assert_eq!(proxy.fault(), ProxyFault::None, "the connection was cut");
        assert!(user_exists(&direct, key).await);
    }
}

#[tokio::test]
async fn without_a_commit_marker_the_outcome_is_not_guessed() {
    let ((direct, scratch), proxy) = (TestDatabase::new().await, Proxy::start().await);
    let (direct, store) = (Store::Postgres(direct), Store::Postgres(proxy.open(&scratch.url).await));
    let mut writer = store.writer(1).unwrap();
    for (key, fate, there) in [(1, ProxyFault::CutAfterCommit, true), (2, ProxyFault::CutBeforeCommit, false)] {
        proxy.set_fault(fate);
        let (result, decided) = write_user(&mut writer, ReadSet::default(), key).await;
        assert!(matches!(result, Err(StoreError::Unavailable(_))), "{result:?}");
        assert_eq!((decided, user_exists(&direct, key).await), (1, there));
    }
    assert_eq!(write_user(&mut writer, ReadSet::default(), 3).await, (Ok(()), 1), "and the writer works on");
}

/// What such a batch has seen may be on this machine only, after a commit that did not wait for the standby.
#[tokio::test]
async fn a_read_only_batch_waits_until_what_it_read_is_durable() {
    let ((_direct, scratch), proxy) = (TestDatabase::new().await, Proxy::start().await);
    let store = Store::Postgres(proxy.open(&scratch.url).await);
    let mut writer = store.writer(1).unwrap();
    assert_eq!(write_user(&mut writer, node_read_set(), 1).await, (Ok(()), 1));
    for (fate, times) in [(ProxyFault::CutBeforeCommit, 2), (ProxyFault::CutAfterCommit, 2), (ProxyFault::None, 1)] {
        proxy.set_fault(fate);
        let mut decided = 0;
        let mut look = |view: &mut View| {
            decided += 1;
            assert!(view.nodes.get(NODE).is_some());
            Ok(())
        };
        assert_eq!(writer.transact(&node_read_set(), &mut look).await, Ok(()));
        assert_eq!((decided, proxy.fault()), (times, ProxyFault::None), "it was committed");
    }
}

/// A commit that waits for a standby and is canceled is told as a success, and may be lost all the same: the
/// server shall not cancel it. A deferred trigger runs in the commit, and sees the limit.
#[tokio::test]
async fn a_slow_commit_is_waited_for() {
    let tenant = TestUser::new().await;
    let store = Store::Postgres(Postgres::open(&tenant.url.parse().unwrap()).await.unwrap());
    let note = "CREATE TABLE seen (at_commit TEXT); \
        CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
        INSERT INTO seen VALUES (current_setting('statement_timeout')); RETURN NULL; END $$; \
        CREATE CONSTRAINT TRIGGER note AFTER INSERT ON users DEFERRABLE INITIALLY DEFERRED \
        FOR EACH ROW EXECUTE FUNCTION note()";
    execute(&tenant.url, note).await;
    let mut writer = store.writer(1).unwrap();
    assert_eq!(write_user(&mut writer, node_read_set(), 1).await, (Ok(()), 1));
    assert_eq!(write_user(&mut writer, node_read_set(), 2).await, (Ok(()), 1));
    let seen = query_json(&tenant.url, "SELECT string_agg(at_commit, ' ') FROM seen").await;
    assert_eq!(seen, "0 0");
    tenant.remove().await;
}
