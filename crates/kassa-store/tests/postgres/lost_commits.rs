//! The connection is lost at the commit: whether it was one is looked up, never guessed.

use kassa_domain::node::Node;
use kassa_domain::user::{Account, User};
use kassa_domain::{Id, Needs, Timestamp, View};
use kassa_store::postgres::Postgres;
use kassa_store::postgres::scratch::{Scratch, Tenant};
use kassa_store::{Store, StoreError, Writer};

use crate::open::{execute, row_of};
use crate::proxy::{Fate, Proxy};

const NODE: u16 = 7;

pub(crate) fn user(key: i64) -> User {
    User {
        id: Id::root(key),
        email: format!("user{key}@example.org").parse().unwrap(),
        account: Account::Customer,
        first_name: None,
        last_name: None,
        created_at: Timestamp::from_ms(0),
        updated_at: Timestamp::from_ms(0),
        revision: 1,
    }
}

pub(crate) async fn is_there(store: &Store, key: i64) -> bool {
    let view = store.view(&Needs { users: vec![Id::root(key)], ..Needs::default() }).await.unwrap();
    view.users.get(Id::root(key)).is_some()
}

/// Makes a user in one batch of a node, and tells how often it was decided.
async fn make(writer: &mut Writer, needs: Needs, key: i64) -> (Result<(), StoreError>, u32) {
    let mut decided = 0;
    let result = writer
        .transact(&needs, &mut |view: &mut View| {
            decided += 1;
            if let [node] = needs.nodes.as_slice() {
                let row = view.nodes.get(*node).cloned().unwrap_or_else(|| Node::new(*node));
                view.nodes.put(Node { id_mark: key, ..row });
            }
            view.users.put(user(key));
            Ok(())
        })
        .await;
    (result, decided)
}

fn of_node() -> Needs {
    Needs { nodes: vec![NODE], ..Needs::default() }
}

#[tokio::test]
async fn a_commit_whose_answer_was_lost_is_found() {
    let ((direct, scratch), proxy) = (Scratch::new().await, Proxy::start().await);
    let (direct, store) = (Store::Postgres(direct), Store::Postgres(proxy.open(&scratch.url).await));
    let mut writer = store.writer(1).unwrap();
    // The first batch makes the row of the node; for the others it is there.
    for key in 1..=3 {
        proxy.set(Fate::CutAfterCommit);
        assert_eq!(make(&mut writer, of_node(), key).await, (Ok(()), 1), "batch {key}");
        assert_eq!(proxy.fate(), Fate::Pass, "the answer was lost");
        assert!(is_there(&direct, key).await);
    }
}

#[tokio::test]
async fn a_commit_that_never_arrived_is_decided_again() {
    let ((direct, scratch), proxy) = (Scratch::new().await, Proxy::start().await);
    let (direct, store) = (Store::Postgres(direct), Store::Postgres(proxy.open(&scratch.url).await));
    let mut writer = store.writer(1).unwrap();
    for key in 1..=3 {
        proxy.set(Fate::CutBeforeCommit);
        assert_eq!(make(&mut writer, of_node(), key).await, (Ok(()), 2), "batch {key}");
        assert_eq!(proxy.fate(), Fate::Pass, "the commit was lost");
        assert!(is_there(&direct, key).await);
    }
}

#[tokio::test]
async fn where_nothing_marks_the_batch_nothing_is_guessed() {
    let ((direct, scratch), proxy) = (Scratch::new().await, Proxy::start().await);
    let (direct, store) = (Store::Postgres(direct), Store::Postgres(proxy.open(&scratch.url).await));
    let mut writer = store.writer(1).unwrap();
    for (key, fate, there) in [(1, Fate::CutAfterCommit, true), (2, Fate::CutBeforeCommit, false)] {
        proxy.set(fate);
        let (result, decided) = make(&mut writer, Needs::default(), key).await;
        assert!(matches!(result, Err(StoreError::Unavailable(_))), "{result:?}");
        assert_eq!((decided, is_there(&direct, key).await), (1, there));
    }
    assert_eq!(make(&mut writer, Needs::default(), 3).await, (Ok(()), 1), "and the writer works on");
}

/// What such a batch has seen may be on this machine only, after a commit that did not wait for the standby.
#[tokio::test]
async fn a_batch_that_changes_nothing_is_answered_when_what_it_has_seen_is_durable() {
    let ((_direct, scratch), proxy) = (Scratch::new().await, Proxy::start().await);
    let store = Store::Postgres(proxy.open(&scratch.url).await);
    let mut writer = store.writer(1).unwrap();
    assert_eq!(make(&mut writer, of_node(), 1).await, (Ok(()), 1));
    for (fate, times) in [(Fate::CutBeforeCommit, 2), (Fate::CutAfterCommit, 2), (Fate::Pass, 1)] {
        proxy.set(fate);
        let mut decided = 0;
        let mut look = |view: &mut View| {
            decided += 1;
            assert!(view.nodes.get(NODE).is_some());
            Ok(())
        };
        assert_eq!(writer.transact(&of_node(), &mut look).await, Ok(()));
        assert_eq!((decided, proxy.fate()), (times, Fate::Pass), "it was committed");
    }
}

/// A commit that waits for a standby and is canceled is told as a success, and may be lost all the same: the
/// server shall not cancel it. A deferred trigger runs in the commit, and sees the limit.
#[tokio::test]
async fn a_commit_may_take_its_time() {
    let tenant = Tenant::new().await;
    let store = Store::Postgres(Postgres::open(&tenant.url.parse().unwrap()).await.unwrap());
    let note = "CREATE TABLE seen (at_commit TEXT); \
        CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
        INSERT INTO seen VALUES (current_setting('statement_timeout')); RETURN NULL; END $$; \
        CREATE CONSTRAINT TRIGGER note AFTER INSERT ON users DEFERRABLE INITIALLY DEFERRED \
        FOR EACH ROW EXECUTE FUNCTION note()";
    execute(&tenant.url, note).await;
    let mut writer = store.writer(1).unwrap();
    assert_eq!(make(&mut writer, of_node(), 1).await, (Ok(()), 1));
    assert_eq!(make(&mut writer, of_node(), 2).await, (Ok(()), 1));
    let seen = row_of(&tenant.url, "SELECT string_agg(at_commit, ' ') FROM seen").await;
    assert_eq!(seen, "0 0");
    tenant.remove().await;
}
