//! A server that is killed while orders are made under keys: whoever heard nothing asks again, and nothing is
//! made twice.

use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde_json::{Value, json};

use crate::buyers::request_order;
use crate::client::Client;
use crate::commands::kassa_serve;
use crate::sale::Sale;
use crate::server::Server;
use crate::tenant::TestDatabase;
use crate::waiting::wait_for;

const ROUNDS: usize = 5;
/// Buyers at a time: as many orders may be on their way when the server is killed.
const BUYERS: usize = 16;
/// Orders that are answered before it is.
const ANSWERS_BEFORE_KILL: usize = 60;

#[test]
fn kill_9_between_commit_and_reply_makes_no_order_twice() {
    let folder = tempfile::tempdir().unwrap();
    assert_no_order_is_made_twice(|| kassa_serve(folder.path()));
}

#[test]
fn kill_9_between_commit_and_reply_makes_no_order_twice_on_postgres() {
    let (folder, tenant) = (tempfile::tempdir().unwrap(), TestDatabase::new());
    assert_no_order_is_made_twice(|| tenant.serve(folder.path()));
}

/// A key, and the order that was answered under it, if one was.
type KeyedRequest = (String, Option<Value>);

fn assert_no_order_is_made_twice(serve: impl Fn() -> Command) {
    let mut server = Server::run(&mut serve());
    let sale = Sale::open(&server, 5_000);
    let mut all: Vec<KeyedRequest> = Vec::new();
    let mut replayed = 0;
    for round in 0..ROUNDS {
        let process = server.process_id();
        let asked = order_until_server_dies(&server, &sale, round, |count| {
            wait_for("orders are answered", || (count.load(Ordering::Relaxed) >= ANSWERS_BEFORE_KILL).then_some(()));
            process.kill();
        });
        server.assert_killed();
        server = Server::run(&mut serve());
        for (key, heard) in asked {
            let again = request_order(&sale.client(&server).with_idempotency_key(&key), &sale, 1, false).unwrap();
            let was_made = again.headers.get("idempotent-replayed").is_some();
            let order = again.success_body();
            match &heard {
                Some(heard) => assert_eq!((&order, was_made), (heard, true), "{key}"),
                None => replayed += usize::from(was_made),
            }
            all.push((key, Some(order)));
        }
    }
    println!("of {} orders, {replayed} were made and not answered before the server was killed", all.len());
    let client = sale.client(&server);
    let mut ids: Vec<&str> = all.iter().filter_map(|(_, order)| order.as_ref()?["id"].as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all.len(), "each key has an order of its own");
    let listed = client.get("/v1/resources/orders?limit=1");
    assert_eq!(listed.headers["total"].to_str().unwrap(), all.len().to_string(), "and there are no others");
    let left = client.get(&sale.set_path()).success_body()["amount_vacant"].as_u64().unwrap();
    assert_eq!(usize::try_from(left).unwrap(), 5_000 - all.len());
    server.stop();
}

/// Makes orders, each under a key of its own, until the server is gone.
fn order_until_server_dies(
    server: &Server,
    sale: &Sale,
    round: usize,
    meanwhile: impl FnOnce(&AtomicUsize),
) -> Vec<KeyedRequest> {
    let (answered, asked) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for buyer in 0..BUYERS {
            let (client, answered, asked) = (sale.client(server), &answered, &asked);
            scope.spawn(move || buy(&client, sale, &format!("{round}-{buyer}"), answered, asked));
        }
        meanwhile(&answered);
    });
    asked.into_inner().unwrap()
}

fn buy(client: &Client, sale: &Sale, name: &str, answered: &AtomicUsize, asked: &Mutex<Vec<KeyedRequest>>) {
    for turn in 0.. {
        let key = format!("{name}-{turn}");
        let heard = request_order(&client.with_idempotency_key(&key), sale, 1, false).ok();
        let is_gone = heard.is_none();
        asked.lock().unwrap().push((key, heard.map(crate::client::HttpResponse::success_body)));
        answered.fetch_add(1, Ordering::Relaxed);
        if is_gone {
            return;
        }
    }
}

#[test]
fn a_key_is_kept_over_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let sale = Sale::open(&server, 10);
    let path = "/v1/resources/venues";
    let first = sale.client(&server).with_idempotency_key("hall").post(path, &json!({"name": "Hall"})).success_body();
    server.stop();
    let server = Server::start(folder.path());
    let again = sale.client(&server).with_idempotency_key("hall").post(path, &json!({"name": "Hall"}));
    assert_eq!(again.headers["idempotent-replayed"], "true");
    assert_eq!(again.success_body(), first);
    let other = sale.client(&server).with_idempotency_key("hall").post(path, &json!({"name": "Another"}));
    assert_eq!((other.status, &other.body["code"]), (422, &json!("idempotency_key_reused")));
    server.stop();
}
