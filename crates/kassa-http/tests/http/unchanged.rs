//! A PATCH to the values that are there succeeds and changes nothing.

use serde_json::{Value, json};

use crate::access::{Callers, filled, writes};
use crate::client::{Answer, Client};
use crate::harness::{Shop, text};

/// What a read shows: the resource itself, and its tag.
async fn shown(client: &Client, path: &str) -> (Value, Answer) {
    let answer = client.get(path).await;
    let body = answer.json();
    (if path.starts_with("/v2") { body["data"].clone() } else { body }, answer)
}

/// Sends back what a read shows, later; nothing comes of it.
async fn assert_sent_back(shop: &Shop, client: &Client, path: &str) {
    let (body, before) = shown(client, path).await;
    assert_eq!(before.status, 200, "{path}");
    shop.pass_ms(1_000);
    let answer = client.patch(path, body.clone()).await;
    assert_eq!(answer.status, 200, "{path} {body}: {}", answer.json());
    let (_, after) = shown(client, path).await;
    assert_eq!((after.json(), after.headers.get("etag")), (before.json(), before.headers.get("etag")), "{path}");
}

#[tokio::test]
async fn what_any_read_shows_can_be_sent_back() {
    let shop = Shop::open().await;
    let callers = Callers::of(&shop).await;
    let things = callers.things().await;
    // Whoever sends back the users of a partner takes back what it has asked others.
    let colleague = "/v2/resources/partners/{partner}/managers/{colleague}";
    callers.owner.delete(&filled(colleague, &things)).await.ok();
    let patches = writes().map(|write| write(&things)).filter(|write| write.method == "PATCH");
    let mut paths: Vec<String> = patches.map(|write| write.path).collect();
    paths.extend(["orders/{paid}", "/v2/resources/orders/{paid}"].map(|path| filled(path, &things)));
    // That of another one is not the caller's to change.
    paths.retain(|path| *path != filled("users/{customer}", &things));
    // It has ended in the moment in which it began: the clock of this test stands still.
    paths.retain(|path| !path.contains("/promotions/"));
    let mut checked = 0;
    for path in paths {
        if callers.owner.get(&path).await.status == 200 {
            assert_sent_back(&shop, &callers.owner, &path).await;
            checked += 1;
        }
    }
    assert!(checked > 12, "{checked}");
}

#[tokio::test]
async fn an_order_in_any_state_can_be_sent_back() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(30, "10.00").await;
    event.promocode("SPRING", json!({"percengate": "10%"}), json!({})).await;
    for state in ["executed", "in_progress", "done", "canceled", "expired", "refunded"] {
        let mut body = set.random(1);
        body["promocodes"] = json!(["spring"]);
        body["customer"] = json!({"email": "ann@example.org", "first_name": "Ann"});
        body["payment"] = json!({"send_tickets": true});
        let order = org.order(&event, body).await;
        match state {
            "executed" => {}
            "expired" => assert!(shop.expire_after_ms(15 * 60_000).await >= 1),
            "refunded" => {
                order.becomes("done").await;
                let request = json!({"order": order.id, "culprit": "org", "tickets": []});
                let request = text(&org.post("refund_requests", request).await.created()["id"]);
                org.patch(&format!("refund_requests/{request}"), json!({"status": "approved"})).await.ok();
                assert_sent_back(&shop, &org, &format!("refund_requests/{request}")).await;
            }
            state => drop(order.becomes(state).await),
        }
        assert_eq!(order.status().await, state);
        assert_sent_back(&shop, &org, &order.path).await;
        assert_sent_back(&shop, &org, &format!("/v2/resources/orders/{}", order.id)).await;
        if state == "canceled" {
            org.delete(&order.path).await.ok();
        }
        let same = json!({"status": state, "customer": {"email": "ANN@Example.org"}});
        order.patch(same).await;
        assert_sent_back(&shop, &org, &order.path).await;
    }
}
