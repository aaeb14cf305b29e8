//! `Idempotency-Key`: whoever asks again under a key is given the same answer, and nothing is done twice.

use serde_json::{Value, json};

use super::{is_replayed, is_the_same, under};
use crate::client::Client;
use crate::harness::{DAY_MS, Event, Org, Set, Shop, text};

struct Sale {
    org: Org,
    event: Event,
    set: Set,
}

impl Sale {
    async fn of(shop: &Shop) -> Self {
        let org = shop.organizer("org@example.org").await;
        let event = org.event("Concert").await;
        let set = event.set(10, "100.00").await;
        Self { org, event, set }
    }

    fn wish(&self, count: u32) -> Value {
        json!({"event": self.event.id, "random": {&self.set.id: count}, "customer": {"email": "ann@example.org"}})
    }

    async fn vacant(&self) -> i64 {
        self.set.amounts().await.1
    }

    /// Ten are there at the beginning.
    async fn sold_are(&self, count: i64) {
        assert_eq!(self.vacant().await, 10 - count);
    }
}

/// Sends a request twice: the second answer is the first one.
async fn twice(client: &Client, key: &str, method: &str, path: &str, body: &Value) -> Value {
    let client = under(client, key);
    let first = client.json(method, path, body).await;
    let again = client.json(method, path, body).await;
    is_the_same(&again, &first);
    if first.bytes.is_empty() { Value::Null } else { first.json() }
}

pub(crate) async fn an_order_is_made_once_under_its_key(shop: Shop) {
    let sale = Sale::of(&shop).await;
    let order = twice(&sale.org, "k-1", "POST", "orders", &sale.wish(2)).await;
    sale.sold_are(2).await;
    assert_eq!(sale.org.get("orders").await.total(), 1);
    let path = format!("orders/{}", text(&order["id"]));
    let done = twice(&sale.org, "k-2", "PATCH", &path, &json!({"status": "done"})).await;
    assert_eq!(done["status"], "done");
    let second = twice(&sale.org, "k-3", "POST", "/v2/resources/orders", &sale.wish(3)).await;
    sale.sold_are(5).await;
    let path = format!("/v2/resources/orders/{}", text(&second["data"]["id"]));
    assert_eq!(
        twice(&sale.org, "k-4", "PATCH", &path, &json!({"status": "cancelled"})).await["data"]["status"],
        "cancelled"
    );
    sale.sold_are(2).await;
}

pub(crate) async fn what_was_removed_is_removed_once_and_told_as_often_as_asked(shop: Shop) {
    let sale = Sale::of(&shop).await;
    let set = sale.event.set(1, "1.00").await;
    let client = under(&sale.org, "remove");
    let first = client.delete(&set.path).await;
    let again = client.delete(&set.path).await;
    is_the_same(&again, &first);
    assert_eq!(again.ok()["removed"], true);
    let key = format!("{}/api_keys/{}", sale.org.path(), sale.org.key);
    let spare = sale.org.post(&format!("{}/api_keys", sale.org.path()), json!({"name": "spare"})).await.created();
    let client = shop.anonymous().with_key(&text(&spare["key"]));
    twice(&client, "remove-key", "DELETE", &key, &json!({})).await;
}

pub(crate) async fn an_answer_stays_what_it_was_when_the_world_moves_on(shop: Shop) {
    let sale = Sale::of(&shop).await;
    let client = under(&sale.org, "rename");
    let first = client.patch(&sale.event.path, json!({"title": {"text": "First"}})).await;
    sale.event.patch(json!({"title": {"text": "Second"}})).await;
    let again = client.patch(&sale.event.path, json!({"title": {"text": "First"}})).await;
    is_the_same(&again, &first);
    assert_eq!(sale.event.now().await["title"]["text"], "Second", "nothing was done again");
}

pub(crate) async fn a_refusal_is_an_answer_too(shop: Shop) {
    let sale = Sale::of(&shop).await;
    let order = sale.org.order(&sale.event, sale.set.random(1)).await;
    for (path, code) in [(sale.event.path.as_str(), "has_orders"), (sale.set.path.as_str(), "has_orders")] {
        let client = under(&sale.org, path);
        let first = client.delete(path).await;
        let again = client.delete(path).await;
        is_the_same(&again, &first);
        again.refused(400, code);
    }
    // Though it could be granted now.
    order.becomes("canceled").await;
    let path = sale.event.path.as_str();
    under(&sale.org, path).delete(path).await.refused(400, "has_orders");
    under(&sale.org, "another").delete(path).await.ok();
}

pub(crate) async fn refusals_of_version_two_keep_their_texts(shop: Shop) {
    let sale = Sale::of(&shop).await;
    let client = under(&sale.org, "key");
    let nothing = format!("/v2/resources/orders/{}", crate::harness::NOTHING);
    let first = client.patch(&nothing, json!({"status": "done"})).await;
    let again = client.patch(&nothing, json!({"status": "done"})).await;
    is_the_same(&again, &first);
    again.told(404, "not_found");
}

pub(crate) async fn a_key_is_for_one_request_of_one_caller_about_one_event(shop: Shop) {
    let sale = Sale::of(&shop).await;
    let client = under(&sale.org, "key");
    let first = client.post("orders", sale.wish(1)).await.created();
    client.post("orders", sale.wish(2)).await.refused(422, "idempotency_key_reused");
    client.post("orders?x=1", sale.wish(1)).await.refused(422, "idempotency_key_reused");
    client.post("/v2/resources/orders", sale.wish(1)).await.told(422, "idempotency_key_reused");
    let path = format!("orders/{}", text(&first["id"]));
    client.patch(&path, json!({})).await.refused(422, "idempotency_key_reused");
    sale.sold_are(1).await;
    // Commands of another event, and of none, have keys of their own; and so have other callers.
    let other = sale.org.event("Other").await;
    let set = other.set(1, "1.00").await;
    client.post("orders", json!({"event": other.id, "random": {&set.id: 1}})).await.created();
    client.post("venues", json!({"name": "Hall"})).await.created();
    client.post("venues", json!({"name": "Another"})).await.refused(422, "idempotency_key_reused");
    let stranger = shop.organizer("other@example.org").await;
    under(&stranger, "key").post("venues", json!({"name": "Another"})).await.created();
    // The first one is still answered.
    assert_eq!(client.post("orders", sale.wish(1)).await.created(), first);
}

pub(crate) async fn a_key_is_looked_at_before_the_form_of_its_request(shop: Shop) {
    let sale = Sale::of(&shop).await;
    let client = under(&sale.org, "key");
    let stranger = under(&shop.anonymous(), "key").with("authorization", "key None");
    // Neither is kept: what is said right has its answer.
    client.post("orders", json!({"event": 5})).await.refused(400, "invalid_fields");
    client.send("POST", "orders", Some("application/json"), b"{".to_vec()).await.refused(400, "malformed_json");
    client.send("POST", "orders", Some("text/plain"), b"{}".to_vec()).await.refused(415, "unsupported_media_type");
    stranger.post("orders", sale.wish(1)).await.refused(401, "credential_invalid");
    client.post("orders", sale.wish(1)).await.created();
    let formless = json!({"event": sale.event.id});
    under(&sale.org, "other").post("orders", formless.clone()).await.refused(400, "invalid_fields");
    client.post("orders", formless).await.refused(422, "idempotency_key_reused");
    let unread = format!(r#"{{"event": "{}"}}"#, sale.event.id).into_bytes();
    client.send("POST", "orders", None, unread).await.refused(422, "idempotency_key_reused");
    // What names no event has keys of its own.
    client.post("orders", json!({"event": 5})).await.refused(400, "invalid_fields");
    client.send("POST", "orders", Some("application/json"), b"{".to_vec()).await.refused(400, "malformed_json");
    stranger.post("orders", sale.wish(1)).await.refused(401, "credential_invalid");
    assert!(is_replayed(&client.post("orders", sale.wish(1)).await));
    sale.sold_are(1).await;
    // What leads nowhere has no keys.
    let malformed = under(&sale.org, "a b").with("if-match", "none");
    for client in [&client, &malformed] {
        client.post("no_such_place", json!({})).await.refused(404, "no_such_path");
        client.put("orders", sale.wish(1)).await.refused(405, "method_not_allowed");
    }
}

pub(crate) async fn a_key_is_one_visible_text(shop: Shop) {
    let sale = Sale::of(&shop).await;
    let long = "x".repeat(256);
    for key in ["", "a b", long.as_str()] {
        under(&sale.org, key).post("orders", sale.wish(1)).await.refused(400, "bad_idempotency_key");
        under(&sale.org, key).post("orders", json!({"event": 5})).await.refused(400, "bad_idempotency_key");
        // Reads look at none.
        under(&sale.org, key).get("orders").await.ok();
    }
    sale.sold_are(0).await;
    under(&sale.org, &long[1..]).post("orders", sale.wish(1)).await.created();
}

pub(crate) async fn a_body_that_is_too_long_is_not_kept(shop: Shop) {
    let sale = Sale::of(&shop).await;
    let client = under(&sale.org, "key");
    let long = vec![b' '; 1024 * 1024 + 1];
    client.send("POST", "orders", Some("application/json"), long).await.refused(413, "body_too_large");
    client.post("orders", sale.wish(1)).await.created();
}

pub(crate) async fn without_a_caller_a_key_means_nothing(shop: Shop) {
    let registration = |email: &str| json!({"email": email, "password": crate::harness::PASSWORD});
    let stranger = under(&shop.anonymous(), "key");
    stranger.post("users", registration("ann@example.org")).await.created();
    let again = stranger.post("users", registration("ann@example.org")).await;
    assert!(!is_replayed(&again), "it replaces the first");
    for _ in 0..2 {
        assert!(!is_replayed(&stranger.post("/v1/services/whoami", registration("ann@example.org")).await));
    }
    stranger.post("venues", json!({"name": "Hall"})).await.refused(401, "credential_required");
}

pub(crate) async fn a_users_key_is_its_own_for_each_partner(shop: Shop) {
    let ann = shop.user("ann@example.org").await;
    let (one, two) = (ann.partner("One").await, ann.partner("Two").await);
    let [for_one, for_two] = [&one, &two].map(|partner| under(&ann.for_partner(partner), "key"));
    let first = for_one.post("venues", json!({"name": "Hall"})).await.created();
    let second = for_two.post("venues", json!({"name": "Hall"})).await.created();
    assert_ne!(first["id"], second["id"]);
    // Who does not say for which it acts has done nothing under the key.
    let unsaid = under(&ann, "key");
    unsaid.post("venues", json!({"name": "Hall"})).await.refused(400, "partner_required");
}

pub(crate) async fn answers_are_kept_for_a_day(shop: Shop) {
    let sale = Sale::of(&shop).await;
    let client = under(&sale.org, "key");
    let first = client.post("orders", sale.wish(1)).await;
    shop.pass_ms(DAY_MS - 1);
    is_the_same(&client.post("orders", sale.wish(1)).await, &first);
    shop.pass_ms(1);
    let next = client.post("orders", sale.wish(1)).await;
    assert!(!is_replayed(&next));
    assert_ne!(next.created()["id"], first.json()["id"]);
    assert_eq!(shop.engine.purge_idempotency_records().await, Ok(0));
    shop.pass_ms(DAY_MS);
    assert_eq!(shop.engine.purge_idempotency_records().await, Ok(1));
}

pub(crate) async fn chosen_fields_are_kept_as_they_were_shown(shop: Shop) {
    let sale = Sale::of(&shop).await;
    let client = under(&sale.org, "key");
    let path = "orders?fields-schema=id,event{title{text}},tickets{number}";
    let first = client.post(path, sale.wish(2)).await;
    assert_eq!(first.json()["event"]["title"]["text"], "Concert");
    sale.event.patch(json!({"title": {"text": "Another"}})).await;
    let again = client.post(path, sale.wish(2)).await;
    is_the_same(&again, &first);
    sale.sold_are(2).await;
    // A schema is a part of the request.
    client.post("orders?fields-schema=id", sale.wish(2)).await.refused(422, "idempotency_key_reused");
    client.post("orders?fields-schema={", sale.wish(2)).await.refused(422, "idempotency_key_reused");
    under(&sale.org, "other").post("orders?fields-schema={", sale.wish(2)).await.refused(400, "bad_fields_schema");
}

/// In memory the first poll brings a command into its lane, and the second takes its answer.
#[tokio::test]
async fn whoever_heard_nothing_is_answered_when_it_asks_again() {
    let shop = Shop::memory().await;
    let sale = Sale::of(&shop).await;
    for (count, path) in [(1, "orders"), (2, "orders?fields-schema=id,event{title{text}}")] {
        let client = under(&sale.org, path);
        let wish = json!({"event": sale.event.id, "random": {&sale.set.id: 1}});
        let mut call = Box::pin(client.post(path, wish.clone()));
        assert!(futures_util::poll!(call.as_mut()).is_pending());
        while sale.vacant().await != 10 - count {
            tokio::task::yield_now().await;
        }
        // It is committed, and the reply is lost.
        drop(call);
        let again = client.post(path, wish.clone()).await;
        assert!(is_replayed(&again), "{again:?}");
        assert_eq!(again.status, 201);
        let third = client.post(path, wish).await;
        assert_eq!((third.status, &third.bytes, &third.headers), (again.status, &again.bytes, &again.headers));
        sale.sold_are(count).await;
    }
}

pub(crate) async fn uploads_and_exports_are_made_once(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let upload = under(&org, "upload");
    let first = upload.send("POST", "attachments", Some("text/plain"), b"words".to_vec()).await;
    let again = upload.send("POST", "attachments", Some("text/plain"), b"words".to_vec()).await;
    is_the_same(&again, &first);
    assert_eq!(org.get("attachments").await.total(), 1);
    upload
        .send("POST", "attachments", Some("text/plain"), b"other".to_vec())
        .await
        .refused(422, "idempotency_key_reused");
    let partner = org.get(&org.path()).await.ok();
    shop.confirm(partner["users"][0].as_str().unwrap(), "org@example.org").await;
    twice(&org, "export", "POST", "/v2/resources/orders/export", &json!({"email": "org@example.org"})).await;
}
