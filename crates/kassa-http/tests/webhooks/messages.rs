//! What a message says, and who gets it.

use kassa_domain::Actor;
use kassa_domain::partner::{RestorePartner, SuspendPartner};
use serde_json::{Value, json};

use crate::receiver::Receiver;
use crate::shop::{Shop, text};

#[tokio::test]
async fn a_message_is_the_change_with_the_resource_as_it_is() {
    let receiver = Receiver::start().await;
    let shop = Shop::open(&[&receiver]).await;
    shop.webhook(&receiver, json!({"types": ["order.*"]})).await;
    let order = shop.order().await;
    shop.pay(&order).await;
    shop.send().await;
    let messages = receiver.take();
    let changes: Vec<String> = messages.iter().map(crate::receiver::Received::change).collect();
    assert_eq!(changes, ["order.reserved 1", "order.changed 2", "order.paid 3"]);
    let (reserved, paid) = (&messages[0], &messages[2]);
    let body = paid.json();
    assert_eq!(body["resource"], json!({"type": "order", "id": order, "version": 3}));
    assert_eq!((&body["event"], &body["actor"]["type"]), (&json!(shop.event), &json!("api_key")));
    assert_eq!(body["facts"]["status"], json!({"from": "executed", "to": "done"}));
    assert_eq!((&body["timestamp"], &body["data"]["status"]), (&json!("2026-01-01 00:00:00"), &json!("done")));
    assert_eq!((&body["data"]["id"], &body["id"]), (&json!(order), &json!(paid.headers["webhook-id"])));
    assert_eq!(paid.headers["content-type"], "application/json");
    // As it is when it is sent, also in the message about what it was before.
    assert_eq!(reserved.json()["data"]["status"], "done");
    shop.send().await;
    assert_eq!(receiver.take_changes().len(), 0, "each comes once");
}

#[tokio::test]
async fn persons_are_named_only_where_that_was_asked_for() {
    let receivers = [Receiver::start().await, Receiver::start().await, Receiver::start().await];
    let [plain, scoped, thin] = &receivers;
    let shop = Shop::open(&[plain, scoped, thin]).await;
    shop.webhook(plain, json!({"types": ["order.paid"]})).await;
    shop.webhook(scoped, json!({"types": ["order.paid"], "scope": ["customers"]})).await;
    shop.webhook(thin, json!({"types": ["order.paid"], "payload": "thin", "scope": ["customers"]})).await;
    let order = shop.order().await;
    shop.pay(&order).await;
    shop.send().await;
    let body = |receiver: &Receiver| receiver.take().pop().unwrap();
    let (plain, scoped, thin) = (body(plain), body(scoped), body(thin));
    assert!(!plain.body.contains("ann@example.org") && !plain.body.contains("555"), "{}", plain.body);
    assert_eq!(scoped.json()["data"]["settings"]["customer"]["email"], "ann@example.org");
    assert_eq!((thin.json()["data"].clone(), thin.change().as_str()), (Value::Null, "order.paid 3"));
    assert!(!thin.body.contains("ann@example.org"), "{}", thin.body);
}

#[tokio::test]
async fn a_webhook_gets_what_it_wants_of_what_its_partner_may_see() {
    let receivers = [Receiver::start().await, Receiver::start().await, Receiver::start().await];
    let [own, one_event, foreign] = &receivers;
    let shop = Shop::open(&[own, one_event, foreign]).await;
    shop.webhook(own, json!({"types": ["event.*", "order.paid"]})).await;
    shop.webhook(one_event, json!({"types": ["*"], "events": [shop.event]})).await;
    let stranger = shop.partner("other@example.org").await;
    let body = json!({"url": foreign.url, "types": ["*"]});
    shop.json("POST", "/v2/resources/webhooks", &stranger, &body).await.is(200);
    let other = shop.post("/v1/resources/events", json!({"title": {"text": "Other"}})).await;
    let order = shop.order().await;
    shop.pay(&order).await;
    shop.send().await;
    assert_eq!(own.take_changes(), ["event.created 1", "order.paid 3"]);
    let events: Vec<Value> = one_event.take().iter().map(|received| received.json()["event"].clone()).collect();
    assert!(!events.is_empty() && events.iter().all(|event| event == &json!(shop.event)), "{events:?} not {other}");
    let kinds: Vec<String> = foreign.take_changes();
    assert_eq!(kinds, ["webhook.created 1"], "its own rows and nobody else's");
}

#[tokio::test]
async fn an_agent_is_told_of_the_events_that_it_sells_while_it_does() {
    let receiver = Receiver::start().await;
    let shop = Shop::open(&[&receiver]).await;
    let agent = shop.partner("agent@example.org").await;
    let body = json!({"url": receiver.url, "types": ["event.*", "deal.*"]});
    shop.json("POST", "/v2/resources/webhooks", &agent, &body).await.is(200);
    let event = format!("/v1/resources/events/{}", shop.event);
    shop.patch(&event, json!({"title": {"text": "Before"}})).await;
    let partner = shop.json("GET", "/v1/resources/partners", &agent, &Value::Null).await.is(200);
    let deal = json!({"event": shop.event, "subj": partner[0]["id"], "term": {"org": "90%", "extra": "10%"}});
    let made = shop.post("/v1/resources/deals", deal).await;
    shop.patch(&event, json!({"title": {"text": "After"}})).await;
    shop.send().await;
    assert_eq!(receiver.take_changes(), ["event.changed 3", "deal.accepted 1", "event.changed 4"], "{made}");
    shop.patch(&format!("/v1/resources/deals/{}", text(&made["id"])), json!({"status": "terminated"})).await;
    shop.patch(&event, json!({"title": {"text": "Later"}})).await;
    shop.send().await;
    assert_eq!(receiver.take_changes(), ["deal.terminated 2"]);
}

#[tokio::test]
async fn nothing_is_sent_to_a_disabled_or_removed_webhook() {
    let receiver = Receiver::start().await;
    let shop = Shop::open(&[&receiver]).await;
    let (path, _) = shop.webhook(&receiver, json!({"types": ["order.*"]})).await;
    shop.patch(&path, json!({"status": "disabled"})).await;
    shop.order().await;
    shop.send().await;
    assert_eq!(receiver.take().len(), 0);
    shop.patch(&path, json!({"status": "enabled"})).await;
    shop.send().await;
    assert_eq!(receiver.take_changes(), ["order.reserved 1"], "it goes on where it stopped");
    shop.json("DELETE", &path, &shop.key, &Value::Null).await.is(200);
    shop.order().await;
    shop.send().await;
    assert_eq!(receiver.take().len(), 0);
}

#[tokio::test]
async fn a_suspended_partner_is_told_nothing_until_it_is_restored() {
    let receiver = Receiver::start().await;
    let shop = Shop::open(&[&receiver]).await;
    shop.webhook(&receiver, json!({"types": ["order.*"]})).await;
    let partner = text(&shop.get("/v1/resources/partners").await[0]["id"]).parse().unwrap();
    shop.order().await;
    shop.engine.change_access(&Actor::Operator, SuspendPartner { partner, reason: None }).await.unwrap();
    shop.send().await;
    assert_eq!(receiver.take().len(), 0);
    shop.engine.change_access(&Actor::Operator, RestorePartner { partner }).await.unwrap();
    shop.send().await;
    assert_eq!(receiver.take_changes(), ["order.reserved 1"]);
}

#[tokio::test]
async fn a_url_of_the_inside_is_refused() {
    let receiver = Receiver::start().await;
    let shop = Shop::open(&[&receiver]).await;
    for (url, problem) in [
        ("http://example.org/", "https"),
        ("https://127.0.0.1/", "internet"),
        ("https://[::ffff:10.0.0.1]/", "internet"),
        ("https://0x7f000001/", "internet"),
        ("https://user@example.org/", "user name"),
        ("https://example.org:22/", "443 or 8443"),
        ("https://example.org/#a", "fragment"),
        ("nonsense", "not a URL"),
    ] {
        let body = json!({"url": url, "types": ["*"]});
        let answer = shop.json("POST", "/v2/resources/webhooks", &shop.key, &body).await.is(400);
        assert_eq!((&answer["code"], &answer["details"][0]["field"]), (&json!("invalid_fields"), &json!("$.url")));
        assert!(text(&answer["details"][0]["problem"]).contains(problem), "{answer}");
    }
    for body in [json!({"url": "https://example.org/"}), json!({"types": ["*"]})] {
        shop.json("POST", "/v2/resources/webhooks", &shop.key, &body).await.is(400);
    }
    for types in [json!([]), json!(["orders.*"]), json!(["order"]), json!("order.paid"), Value::Null] {
        let body = json!({"url": "https://example.org/", "types": types});
        let answer = shop.json("POST", "/v2/resources/webhooks", &shop.key, &body).await.is(400);
        assert!(text(&answer["details"][0]["field"]).starts_with("$.types"), "{answer}");
    }
}
