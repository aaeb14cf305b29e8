//! Every write of the interface under a key, and with an expectation, from the table of all routes.

use std::collections::BTreeSet;
use std::sync::Arc;

use kassa_domain::{Actor, Command, Context, ReadSet, Refusal, ShardTag, View};
use parking_lot::{Condvar, Mutex};
use tokio::task::JoinHandle;

use super::{is_replayed, is_the_same, under};
use crate::access::{Callers, Write, route_name, writes};
use crate::client::{Answer, Client};
use crate::contract::Contract;
use crate::harness::Shop;

/// Keeps the only lane of a shop from its work until it is opened.
#[derive(Debug, Clone)]
struct Gate(Arc<(Mutex<bool>, Condvar)>);

impl Command for Gate {
    type Outcome = ();

    fn shard(&self) -> ShardTag {
        ShardTag::of_key(0)
    }

    fn read_set(&self, _: &mut ReadSet) {}

    fn decide(&self, _: &mut Context<'_>, _: &mut View) -> Result<(), Refusal> {
        let mut is_open = self.0.0.lock();
        self.0.1.wait_while(&mut is_open, |is_open| !*is_open);
        Ok(())
    }
}

impl Gate {
    fn close(shop: &Shop) -> (Self, JoinHandle<()>) {
        let gate = Self(Arc::default());
        let (held, engine) = (gate.clone(), shop.engine.clone());
        (gate, tokio::spawn(async move { engine.execute(&Actor::System, held, |_, ()| ()).await.unwrap() }))
    }

    fn open(&self) {
        *self.0.0.lock() = true;
        self.0.1.notify_all();
    }
}

/// How many transactions have written: each writes the row of its lane.
async fn transactions(shop: &Shop) -> i64 {
    let nodes: Vec<u16> = (0..8).collect();
    let view = shop.engine.view(&ReadSet { nodes: nodes.clone(), ..ReadSet::default() }).await.unwrap();
    nodes.into_iter().filter_map(|node| view.nodes.version(node)).sum()
}

async fn send(client: &Client, write: &Write, body: &str) -> Answer {
    let content_type = (!write.body.is_empty()).then_some("application/json");
    client.send(write.method, &write.path, content_type, body.as_bytes().to_vec()).await
}

/// Sends each write again, and otherwise, under its key.
pub(crate) async fn each_write_is_answered_once_under_its_key(shop: &Shop, callers: &Callers) {
    for (at, row) in writes().enumerate() {
        let write = row(&callers.things().await);
        let client = under(&callers.owner, &format!("key-{at}"));
        let before = transactions(shop).await;
        let first = send(&client, &write, &write.body).await;
        let about = format!("{} {}: {first:?}", write.method, write.path);
        assert_eq!(first.status, write.status, "{about}");
        assert!(!is_replayed(&first), "{about}");
        // The answer is in the transaction of what it tells of; where that is nothing, it has its own. When a file is gone,
        // one more says so.
        let decided = if write.method == "DELETE" && write.template.starts_with("attachments/") { 2 } else { 1 };
        assert_eq!(transactions(shop).await, before + decided, "{about}");
        is_the_same(&send(&client, &write, &write.body).await, &first);
        let other = send(&client, &write, &format!("{} ", write.body)).await;
        assert_eq!(other.error()["code"], "idempotency_key_reused", "{about}");
        assert_eq!((other.status, transactions(shop).await), (422, before + decided), "{about}");
    }
}

/// Sends each write twice at once: one of both is told that the other is under way.
pub(crate) async fn each_write_tells_that_its_key_is_in_use(shop: &Shop, callers: &Callers) {
    for (at, row) in writes().enumerate() {
        let write = Arc::new(row(&callers.things().await));
        let client = under(&callers.owner, &format!("busy-{at}"));
        let (gate, held) = Gate::close(shop);
        let ask = || {
            let (client, write) = (client.clone(), Arc::clone(&write));
            Box::pin(async move { send(&client, &write, &write.body).await })
        };
        let (quick, slow) = match futures_util::future::select(ask(), ask()).await {
            futures_util::future::Either::Left((quick, slow)) | futures_util::future::Either::Right((quick, slow)) => {
                (quick, slow)
            }
        };
        quick.refused_in_any_version(409, "idempotency_key_in_use");
        gate.open();
        held.await.unwrap();
        assert_eq!(slow.await.status, write.status, "{} {}", write.method, write.path);
    }
}

/// Sends each write with an expectation that is not met, and with those that are. Where its path shows a resource,
/// that is expected to have its tag; nothing has the tags of a collection or a service.
pub(crate) async fn each_write_heeds_what_is_expected(shop: &Shop, callers: &Callers) {
    for row in writes() {
        let write = row(&callers.things().await);
        let about = format!("{} {}", write.method, write.path);
        let before = transactions(shop).await;
        let strange = callers.owner.with("if-match", "\"0-0000000000000000\"");
        send(&strange, &write, &write.body).await.refused_in_any_version(412, "precondition_failed");
        let malformed = callers.owner.with("if-match", "none");
        send(&malformed, &write, &write.body).await.refused_in_any_version(400, "bad_if_match");
        assert_eq!(transactions(shop).await, before, "{about}");
        let seen = callers.owner.get(&write.path).await;
        if write.template.ends_with('}') && seen.status == 200 {
            let expected = callers.owner.with("if-match", seen.header("etag"));
            assert_eq!(send(&expected, &write, &write.body).await.status, write.status, "{about}");
        }
        let write = row(&callers.things().await);
        let any = send(&callers.owner.with("if-match", "*"), &write, &write.body).await;
        assert_eq!(any.status, write.status, "{about}");
    }
}

/// Writes that the callers here cannot send one after the other: they end sessions, or need a code, an invitation, a
/// confirmed e-mail, or Stripe. They have tests of their own.
const WITH_TESTS_OF_THEIR_OWN: [&str; 11] = [
    "DELETE /v1/resources/users/{}/second_factor",
    "DELETE /v1/resources/users/{}/sessions",
    "DELETE /v1/resources/users/{}/sessions/{}",
    "PATCH /v1/resources/users/{}/invitations/{}",
    "POST /v1/resources/users/{}/second_factor",
    "POST /v1/resources/users/{}/second_factor/confirm",
    "POST /v2/resources/orders/export",
    "POST /v2/resources/orders/{}/payments/{}/checkout",
    "DELETE /v2/platform/partners/{}/suspension",
    "POST /v2/platform/partners/{}/suspension",
    "POST /v2/platform/verification",
];

/// Every write that takes conditions is among those that are sent.
#[tokio::test]
async fn every_write_route_is_sent_with_conditions() {
    let shop = Shop::memory().await;
    let things = Callers::of(&shop).await.things().await;
    let sent: BTreeSet<String> =
        writes().map(|row| row(&things)).map(|write| route_name(write.method, write.template)).collect();
    let contracts = Contract::all(&shop).await;
    let operations = contracts.iter().flat_map(|contract| contract.operations());
    let conditional = operations.filter(|(_, _, operation)| {
        let mut parameters = operation["parameters"].as_array().into_iter().flatten();
        parameters.any(|parameter| parameter["$ref"] == "#/components/parameters/If-Match")
    });
    let documented: BTreeSet<String> =
        conditional.map(|(method, path, _)| route_name(&method.to_uppercase(), path)).collect();
    let others = WITH_TESTS_OF_THEIR_OWN.map(str::to_owned);
    assert_eq!(sent.into_iter().chain(others).collect::<BTreeSet<String>>(), documented);
}

#[tokio::test]
async fn every_write_has_its_conditions() {
    let shop = Shop::memory().await;
    let callers = Callers::of(&shop).await;
    each_write_is_answered_once_under_its_key(&shop, &callers).await;
    each_write_heeds_what_is_expected(&shop, &callers).await;
}

/// In memory nobody could look up anything behind a closed gate.
#[tokio::test]
async fn every_write_tells_that_its_key_is_in_use() {
    let shop = Shop::sqlite().await;
    let callers = Callers::of(&shop).await;
    each_write_tells_that_its_key_is_in_use(&shop, &callers).await;
}
