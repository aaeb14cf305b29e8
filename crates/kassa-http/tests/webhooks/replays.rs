//! What is sent once more.

use kassa_domain::change::{ChangeType, FeedCursor, Subject};
use kassa_domain::precondition::ResourceRef;
use kassa_domain::webhook::{ReplayWebhook, WebhookMessage};
use kassa_domain::{Actor, Id, ReadSet};
use serde_json::{Value, json};

use crate::receiver::Receiver;
use crate::shop::{HOUR_MS, Shop, text};

/// Messages that wait for one webhook at most.
const MESSAGES_MAX: i64 = 2_000;

#[tokio::test]
async fn a_replay_from_a_cursor_repeats_what_comes_from_there_on() {
    let receiver = Receiver::start().await;
    let shop = Shop::open(&[&receiver]).await;
    let (path, _) = shop.webhook(&receiver, json!({"types": ["order.*"]})).await;
    for _ in 0..3 {
        shop.order().await;
    }
    shop.send().await;
    let sent = receiver.take();
    let ids = |received: &[crate::receiver::Received]| -> Vec<String> {
        received.iter().map(|one| one.headers["webhook-id"].clone()).collect()
    };
    let after = text(&sent[0].json()["cursor"]);
    shop.post(&format!("{path}/replay"), json!({"after": after})).await;
    shop.send().await;
    assert_eq!(ids(&receiver.take()), ids(&sent)[1..]);
    shop.order().await;
    shop.send().await;
    assert_eq!(receiver.take().len(), 1, "and it goes on");
}

#[tokio::test]
async fn a_replay_of_ids_repeats_these() {
    let receiver = Receiver::start().await;
    let shop = Shop::open(&[&receiver]).await;
    let (path, _) = shop.webhook(&receiver, json!({"types": ["order.*"]})).await;
    shop.order().await;
    shop.order().await;
    shop.send().await;
    let sent = receiver.take();
    let id = sent[1].headers["webhook-id"].clone();
    shop.post(&format!("{path}/replay"), json!({"ids": [id]})).await;
    shop.send().await;
    let [again] = receiver.take().try_into().unwrap();
    assert_eq!(again.headers["webhook-id"], id);
    let (shop, path) = (&shop, format!("{path}/replay"));
    let replay = |body: Value| {
        let path = &path;
        async move { shop.json("POST", path, &shop.key, &body).await }
    };
    assert_eq!(replay(json!({"ids": ["chg_1-99"]})).await.status, 404);
    assert_eq!(replay(json!({"ids": ["nonsense"]})).await.status, 400);
    assert_eq!(replay(json!({})).await.status, 200, "nothing is asked for");
    assert_eq!(replay(json!({"after": "0-0"})).await.status, 400);
}

#[tokio::test]
async fn what_was_not_sent_yet_does_not_come_before_its_turn() {
    let receiver = Receiver::start().await;
    let shop = Shop::open(&[&receiver]).await;
    let (path, _) = shop.webhook(&receiver, json!({"types": ["order.*"]})).await;
    let order = shop.order().await;
    shop.pay(&order).await;
    let told = shop.get("/v2/resources/changes?types=order.*").await;
    let ids: Vec<&Value> = told["data"].as_array().unwrap().iter().map(|change| &change["id"]).collect();
    shop.post(&format!("{path}/replay"), json!({"ids": [ids.last()]})).await;
    shop.send().await;
    let sent: Vec<Value> = receiver.take().iter().map(|one| json!(one.headers["webhook-id"])).collect();
    assert_eq!(sent.iter().collect::<Vec<_>>(), ids, "each once, in their order");
}

#[tokio::test]
async fn what_was_parked_is_sent_once_more() {
    let receiver = Receiver::start().await;
    let shop = Shop::open(&[&receiver]).await;
    let (path, _) = shop.webhook(&receiver, json!({"types": ["order.*"]})).await;
    let poison = shop.order().await;
    let bad = poison.clone();
    receiver.answer_by(move |received| {
        (if received.json()["resource"]["id"] == bad.as_str() { 500 } else { 200 }, String::new())
    });
    for _ in 0..11 {
        shop.order().await;
        shop.send_after_ms(30 * HOUR_MS).await;
    }
    let tries = receiver.take().iter().filter(|one| one.json()["resource"]["id"] == poison.as_str()).count();
    assert_eq!(tries, 10);
    shop.pay(&poison).await;
    receiver.answer(200);
    shop.send().await;
    assert_eq!(receiver.take_changes(), ["order.changed 2", "order.paid 3"], "its resource goes on");
    shop.post(&format!("{path}/replay"), json!({"failed_since": "2026-01-01T00:00:00Z"})).await;
    shop.send().await;
    assert_eq!(receiver.take_changes(), ["order.reserved 1"]);
    shop.post(&format!("{path}/replay"), json!({"failed_since": "2026-01-01T00:00:00Z"})).await;
    shop.send().await;
    assert_eq!(receiver.take().len(), 0, "nothing is parked any more");
}

#[tokio::test]
async fn no_more_waits_than_a_sender_knows() {
    let receiver = Receiver::start().await;
    let shop = Shop::open(&[&receiver]).await;
    let (path, _) = shop.webhook(&receiver, json!({"types": ["order.*"]})).await;
    shop.order().await;
    shop.order().await;
    shop.send().await;
    let ids: Vec<Value> = receiver.take().iter().map(|one| json!(one.headers["webhook-id"])).collect();
    let webhook = path.rsplit('/').next().unwrap().parse().unwrap();
    let read_set = ReadSet { webhooks: vec![webhook], ..ReadSet::default() };
    let partner = shop.engine.view(&read_set).await.unwrap().webhooks.get(webhook).unwrap().partner;
    let unselected = (1..MESSAGES_MAX).map(|number| WebhookMessage {
        position: FeedCursor { place: 1_000_000 + number, index: 0 },
        subject: Subject::Resource(ResourceRef::Order(Id::root(number))),
        version: 1,
        kind: ChangeType::OrderReserved,
    });
    let command =
        ReplayWebhook { partner, webhook, after: None, messages: Vec::new(), unselected: unselected.collect() };
    shop.engine.execute(&Actor::Partner(partner), command, |_, _| ()).await.unwrap();
    let replay = format!("{path}/replay");
    let refused = shop.json("POST", &replay, &shop.key, &json!({"ids": ids})).await.is(400);
    assert_eq!(refused["code"], "too_many", "{refused}");
    for _ in 0..2 {
        shop.json("POST", &replay, &shop.key, &json!({"ids": ids[..1]})).await.is(200);
    }
    shop.json("POST", &replay, &shop.key, &json!({"ids": ids[1..]})).await.is(400);
}
