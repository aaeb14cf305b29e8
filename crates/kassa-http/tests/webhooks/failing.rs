//! Receivers that fail: nothing is lost, nothing is told too often, and nobody else waits.

use std::time::Duration;

use kassa_domain::webhook::{ClaimWebhook, WEBHOOK_CLAIM_MS, WebhookClaimOutcome};
use kassa_domain::{Actor, View};
use serde_json::{Value, json};

use crate::receiver::{Received, Receiver};
use crate::shop::{HOUR_MS, Shop, text};

const MINUTE_MS: i64 = 60_000;
/// What happens to an order that is paid.
const PAID: [&str; 3] = ["order.reserved 1", "order.changed 2", "order.paid 3"];

/// The order that a message is about.
fn order_of(received: &Received) -> String {
    text(&received.json()["resource"]["id"])
}

#[tokio::test]
async fn a_message_that_fails_holds_back_its_resource_and_no_other() {
    let receiver = Receiver::start().await;
    let shop = Shop::open(&[&receiver]).await;
    let (path, _) = shop.webhook(&receiver, json!({"types": ["order.*"]})).await;
    let poison = shop.order().await;
    let bad = poison.clone();
    receiver
        .answer_by(move |received| if order_of(received) == bad { (500, String::new()) } else { (204, String::new()) });
    shop.pay(&poison).await;
    let good = shop.order().await;
    shop.pay(&good).await;
    shop.send().await;
    let messages = receiver.take();
    let tries = |order: &str, received: &[Received]| -> Vec<String> {
        received.iter().filter(|one| order_of(one) == order).map(Received::change).collect()
    };
    assert_eq!(tries(&poison, &messages), ["order.reserved 1"]);
    assert_eq!(tries(&good, &messages), PAID);
    // It is tried again in its time; what is behind it still waits.
    shop.send_after_ms(3_000).await;
    assert_eq!(receiver.take().len(), 0);
    shop.send_after_ms(3_001).await;
    assert_eq!(receiver.take_changes(), ["order.reserved 1"]);
    receiver.answer(200);
    shop.send_after_ms(6 * MINUTE_MS).await;
    assert_eq!(receiver.take_changes(), PAID);
    let attempts = shop.get(&format!("{path}/attempts?page_size=2")).await;
    assert_eq!((&attempts["total_count"], attempts["data"].as_array().unwrap().len()), (&json!(8), 2));
    let last = &attempts["data"][0];
    assert_eq!(
        (&last["number"], &last["type"], &last["result"]["status"]),
        (&json!(8), &json!("order.paid"), &json!(200))
    );
    assert_eq!((&last["result"]["answer"], &last["result"]["accepted"]), (&json!("ok"), &json!(true)));
    let failed = shop.get(&format!("{path}/attempts?failed=true")).await;
    assert_eq!((&failed["total_count"], &failed["data"][0]["result"]["status"]), (&json!(2), &json!(500)));
}

#[tokio::test]
async fn a_receiver_that_was_away_for_a_day_gets_everything_in_order() {
    let receiver = Receiver::start().await;
    let shop = Shop::open(&[&receiver]).await;
    shop.webhook(&receiver, json!({"types": ["order.*"]})).await;
    receiver.answer(503);
    let mut orders = Vec::new();
    for hour in 0..24 {
        let order = shop.order().await;
        if hour % 2 == 0 {
            shop.pay(&order).await;
        }
        orders.push(order);
        shop.send_after_ms(HOUR_MS).await;
    }
    let tries = receiver.take().len();
    assert!((5..60).contains(&tries), "{tries}: a dead receiver does not eat the tries of all");
    receiver.answer(200);
    shop.order().await;
    // The last attempt took its time: five minutes after its end there is a probe.
    shop.send_after_ms(6 * MINUTE_MS).await;
    let messages = receiver.take();
    for (hour, order) in orders.iter().enumerate() {
        let changes: Vec<String> =
            messages.iter().filter(|one| order_of(one) == *order).map(Received::change).collect();
        let expected = if hour % 2 == 0 { &PAID[..] } else { &PAID[..1] };
        assert_eq!(changes, expected, "hour {hour}");
    }
    assert_eq!(messages.len(), 24 + 2 * 12 + 1, "each once");
}

#[tokio::test]
async fn a_receiver_is_waited_for_as_long_as_it_asks() {
    let receiver = Receiver::start().await;
    let shop = Shop::open(&[&receiver]).await;
    shop.webhook(&receiver, json!({"types": ["order.*"]})).await;
    receiver.answer_by(|_| (429, "Retry-After: 7200\r\n".to_owned()));
    shop.order().await;
    shop.send().await;
    assert_eq!(receiver.take().len(), 1);
    receiver.answer(200);
    shop.send_after_ms(2 * HOUR_MS - 1_000).await;
    assert_eq!(receiver.take().len(), 0);
    shop.send_after_ms(2_000).await;
    assert_eq!(receiver.take_changes(), ["order.reserved 1"]);
}

#[tokio::test]
async fn who_answers_gone_is_disabled_and_may_come_back() {
    let receiver = Receiver::start().await;
    let shop = Shop::open(&[&receiver]).await;
    let (path, _) = shop.webhook(&receiver, json!({"types": ["order.*"]})).await;
    receiver.answer(410);
    shop.order().await;
    shop.order().await;
    shop.send().await;
    assert_eq!(receiver.take().len(), 1);
    // The attempt took its time.
    shop.pass_ms(1_000);
    shop.engine.watch_webhooks().await.unwrap();
    let webhook = shop.get(&path).await["data"].clone();
    assert_eq!((&webhook["status"], &webhook["disabled_reason"]), (&json!("disabled"), &json!("gone")));
    receiver.answer(200);
    shop.send_after_ms(24 * HOUR_MS).await;
    assert_eq!(receiver.take().len(), 0);
    shop.patch(&path, json!({"status": "enabled"})).await;
    shop.send().await;
    assert_eq!(receiver.take_changes(), ["order.reserved 1", "order.reserved 1"]);
}

#[tokio::test]
async fn who_fails_for_five_days_is_told_thrice_and_disabled() {
    let receiver = Receiver::start().await;
    let shop = Shop::open(&[&receiver]).await;
    let (path, _) = shop.webhook(&receiver, json!({"types": ["order.*"]})).await;
    receiver.answer(500);
    shop.order().await;
    let mut statuses = Vec::new();
    for _ in 0..=(5 * 24) {
        shop.send().await;
        shop.engine.watch_webhooks().await.unwrap();
        let mails = shop.engine.page(kassa_store::queries::UnsentMailsFilter, kassa_store::PageWindow::first(50)).await;
        let notices = mails.unwrap().rows.iter().filter(|mail| mail.content.name() == "webhook").count();
        statuses.push((notices, text(&shop.get(&path).await["data"]["status"])));
        // A little more: the first attempt took its time.
        shop.pass_ms(HOUR_MS + 1_000);
    }
    let at = |hour: usize| (statuses[hour].0, statuses[hour].1.as_str());
    assert_eq!([at(0), at(1), at(23), at(24)], [(0, "enabled"), (1, "enabled"), (1, "enabled"), (2, "enabled")]);
    assert_eq!([at(119), at(120)], [(2, "enabled"), (3, "disabled")]);
    // Never deleted: it goes on where it stopped.
    receiver.take();
    receiver.answer(200);
    shop.patch(&path, json!({"status": "enabled"})).await;
    shop.send().await;
    assert_eq!(receiver.take_changes(), ["order.reserved 1"]);
}

#[tokio::test]
async fn a_dead_receiver_is_in_nobodys_way() {
    let receivers = [Receiver::start().await, Receiver::start().await];
    let [dead, alive] = &receivers;
    let shop = Shop::open(&[dead, alive]).await;
    shop.webhook(dead, json!({"types": ["order.*"]})).await;
    shop.webhook(alive, json!({"types": ["order.*"]})).await;
    // It takes a message and says nothing for longer than is waited for it.
    dead.hold_answers(true);
    for _ in 0..3 {
        shop.order().await;
    }
    let told = async {
        let told = tokio::time::timeout(Duration::from_secs(10), alive.has_received(3)).await;
        dead.has_received(1).await;
        dead.hold_answers(false);
        told
    };
    let ((), told) = tokio::join!(shop.send(), told);
    told.expect("the other one waits");
    assert_eq!(alive.take_changes(), ["order.reserved 1"; 3]);
}

#[tokio::test]
async fn what_a_claim_leaves_behind_is_taken_up() {
    let receiver = Receiver::start().await;
    let shop = Shop::open(&[&receiver]).await;
    let (path, _) = shop.webhook(&receiver, json!({"types": ["order.*"]})).await;
    shop.order().await;
    // A server claims the endpoint, and dies.
    let id = path.rsplit('/').next().unwrap().parse().unwrap();
    let is_claimed = |_: &View, outcome: &WebhookClaimOutcome| matches!(outcome, WebhookClaimOutcome::Claimed(_));
    let claimed = shop.engine.execute(&Actor::System, ClaimWebhook { webhook: id }, is_claimed).await;
    assert_eq!(claimed.ok(), Some(true));
    shop.send().await;
    assert_eq!(receiver.take().len(), 0, "it may be sending");
    shop.send_after_ms(WEBHOOK_CLAIM_MS).await;
    assert_eq!(receiver.take_changes(), ["order.reserved 1"]);
    assert_eq!(shop.get(&path).await["data"]["failing_since"], Value::Null);
}
