//! What is sent once more.

use serde_json::{Value, json};

use crate::receiver::Receiver;
use crate::shop::{HOUR_MS, Shop, text};

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
