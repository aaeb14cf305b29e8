//! What a request reads outside its batch: a write reads nothing there that its command reads, too.

use kassa_store::memory::{Memory, ReadCounts};
use serde_json::{Value, json};

use super::{ORDERS, at};
use crate::harness::{EVENING, Org, Shop, text};

const REFUNDS: &str = "/v2/resources/refund_requests";

/// How often a request reads, and how many rows, with the answer to it.
async fn counted(memory: &Memory, request: impl Future<Output = Value>) -> ((u64, u64), Value) {
    let before = memory.read_counts();
    let answer = request.await;
    let ReadCounts { views, rows } = memory.read_counts();
    ((views - before.views, rows - before.rows), answer)
}

async fn post(org: &Org, path: &str, body: Value) -> Value {
    org.post(path, body).await.ok()
}

async fn patch(org: &Org, path: &str, status: &str) -> Value {
    org.patch(path, json!({"status": status})).await.ok()
}

#[tokio::test]
async fn a_write_reads_what_it_shows_and_its_command_does_not() {
    let memory = Memory::default();
    let shop = Shop::on(memory.clone()).await;
    let org = shop.organizer("org@example.org").await;
    let venue = text(&org.post("venues", json!({"name": "Old Pier"})).await.created()["id"]);
    let body = json!({"title": "Concert", "lifetime": EVENING, "status": "public", "venue": venue});
    let event = org.event_with(body).await;
    let set = event.set(9, "100.00").await;
    event.set(9, "50.00").await;

    // The partner and the venue.
    let wanted = json!({"event": event.id, "random": {&set.id: 3}});
    let (reads, quoted) = counted(&memory, post(&org, "/v2/services/orders/quote", wanted.clone())).await;
    // Nothing is decided in a batch: besides, the event with its two sets, three tickets and the partner.
    assert_eq!((reads, quoted["data"]["tickets"].as_array().map(Vec::len)), ((2, 9), Some(3)));
    let (reads, order) = counted(&memory, post(&org, ORDERS, wanted)).await;
    assert_eq!(reads, (1, 2));
    assert_eq!(order["refs"]["venues"][&venue]["name"], "Old Pier");

    // The partner and the venue: the order is remembered, as this server alone writes.
    let (reads, paid) = counted(&memory, patch(&org, &at(&order), "in_progress")).await;
    assert_eq!((reads, &paid["data"]["status"]), ((1, 2), &json!("in_progress")));
    assert_eq!(paid["refs"], order["refs"]);
    // An order that ends meanwhile accepts what changes nothing: the three tickets, too, which it then no longer has.
    for nothing in [json!({}), json!({"expired_after": paid["data"]["expired_after"]})] {
        let (reads, kept) = counted(&memory, async { org.patch(&at(&order), nothing).await.ok() }).await;
        assert_eq!((reads, &kept["data"], &kept["refs"]["venues"]), ((1, 5), &paid["data"], &paid["refs"]["venues"]));
    }
    let (reads, paid) = counted(&memory, patch(&org, &at(&order), "done")).await;
    assert_eq!((reads, &paid["data"]["status"]), ((1, 2), &json!("done")));

    // The order, and around it the event, two sets, three tickets, the partner and the venue.
    let (reads, shown) = counted(&memory, async { org.get(&at(&order)).await.ok() }).await;
    assert_eq!((reads, &shown["refs"]), ((2, 9), &order["refs"]));

    // The order, the partner and the venue; and the request besides where it is decided.
    let wanted = json!({
        "order": paid["data"]["id"], "culprit": "org", "tickets": [paid["data"]["tickets"][0]["id"]],
    });
    let (reads, request) = counted(&memory, post(&org, REFUNDS, wanted)).await;
    assert_eq!(reads, (2, 3));
    let path = format!("{REFUNDS}/{}", text(&request["data"]["id"]));
    // The request may be approved meanwhile: its ticket, too.
    let (reads, kept) = counted(&memory, async { org.patch(&path, json!({})).await.ok() }).await;
    assert_eq!((reads, &kept), ((2, 5), &request));
    let (reads, request) = counted(&memory, patch(&org, &path, "approved")).await;
    assert_eq!((reads, &request["data"]["status"]), ((2, 4), &json!("approved")));

    // Version 1 shows nothing but the order, which is remembered.
    let path = format!("orders/{}", text(&order["data"]["id"]));
    let (reads, _) = counted(&memory, async { org.patch(&path, json!({})).await.ok() }).await;
    assert_eq!(reads, (0, 0));
}
