//! A batch takes a fixed number of round trips: no statement waits for the answer to another.

use std::time::Duration;

use kassa_domain::node::Node;
use kassa_domain::{Id, ReadSet, ShardTag, View};
use kassa_store::Store;
use kassa_store::postgres::scratch::TestDatabase;

use crate::lost_commits::{NODE, node_read_set, user};
use crate::proxy::{Proxy, ProxyFault};

/// Statements of a reader, at least: one for each event.
const EVENTS: i64 = 300;
/// Those of a batch: one for each table.
const TABLES: usize = 5;

/// One of each event.
fn ids<K>() -> Vec<Id<K>> {
    (1..=EVENTS).map(|key| Id::with_tag(ShardTag::of_key(key), key)).collect()
}

#[tokio::test]
async fn all_statements_of_a_batch_are_sent_before_the_first_is_answered() {
    let ((_direct, scratch), proxy) = (TestDatabase::new().await, Proxy::start().await);
    let store = Store::Postgres(proxy.open(&scratch.url).await);
    let mut writer = store.writer(1).unwrap();
    let read_set =
        ReadSet { orders: ids(), tickets: ids(), sets: ids(), payments: ids(), refunds: ids(), ..ReadSet::default() };
    let mut put = |view: &mut View| {
        view.users.put(user(1));
        Ok(())
    };
    // From the second time on all statements are prepared.
    writer.transact(&read_set, &mut put).await.unwrap();
    proxy.set_fault(ProxyFault::HoldRepliesUntil(TABLES));
    let mut nothing = |_: &mut View| Ok(());
    let batch = writer.transact(&read_set, &mut nothing);
    tokio::time::timeout(Duration::from_secs(30), batch).await.expect("a statement waits for an answer").unwrap();
    store.view(&read_set).await.unwrap();
    proxy.set_fault(ProxyFault::HoldRepliesUntil(usize::try_from(EVENTS).unwrap()));
    let view = store.view(&read_set);
    tokio::time::timeout(Duration::from_secs(30), view).await.expect("a statement waits for an answer").unwrap();
}

#[tokio::test]
async fn the_commit_of_a_batch_is_sent_with_what_it_writes() {
    let ((_direct, scratch), proxy) = (TestDatabase::new().await, Proxy::start().await);
    let store = Store::Postgres(proxy.open(&scratch.url).await);
    let (mut writer, read_set) = (store.writer(1).unwrap(), node_read_set());
    // From the third time on all statements are prepared, also those that change the row of the node.
    for key in 1..=3 {
        let mut put = |view: &mut View| {
            if key == 3 {
                // The row of the node, its mark, the user, and the commit.
                proxy.set_fault(ProxyFault::HoldRepliesUntil(4));
            }
            let node = view.nodes.get(NODE).cloned().unwrap_or_else(|| Node::new(NODE));
            view.nodes.put(Node { last_id: key, ..node });
            view.users.put(user(key));
            Ok(())
        };
        let batch = writer.transact(&read_set, &mut put);
        tokio::time::timeout(Duration::from_secs(30), batch).await.expect("the commit waits for an answer").unwrap();
    }
}

#[tokio::test]
async fn the_proxy_notices_a_statement_that_waits() {
    let ((_direct, scratch), proxy) = (TestDatabase::new().await, Proxy::start().await);
    let store = Store::Postgres(proxy.open(&scratch.url).await);
    let read_set = ReadSet { users: vec![Id::root(1)], ..ReadSet::default() };
    store.view(&read_set).await.unwrap();
    proxy.set_fault(ProxyFault::HoldRepliesUntil(2));
    let view = tokio::time::timeout(Duration::from_millis(300), store.view(&read_set));
    assert!(view.await.is_err(), "one statement is not two");
}
