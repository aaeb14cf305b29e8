//! `POST /v2/services/orders/quote`.

use serde_json::{Value, json};

use super::given;
use crate::access::{Row, row};
use crate::harness::Shop;

/// What each kind of caller gets.
#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    row("POST /v2/services/orders/quote", r#"{"event": "{event}"}"#, 401, [400, 400], [200, 200], 400),
];

const QUOTE: &str = "/v2/services/orders/quote";

/// What both an order and its quote show.
fn shared(values: &Value, tickets: &Value) -> Value {
    let mut tickets = tickets.clone();
    for ticket in tickets.as_array_mut().unwrap() {
        ticket["status"] = Value::Null;
    }
    json!([values, tickets])
}

pub(crate) async fn a_quote_is_what_the_order_comes_to_and_reserves_nothing(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    let hall = event.set_with(json!({"name": "Hall", "sector": "A", "price": "33.33", "seats": {"1": [[1, 3]]}})).await;
    let agent = shop.organizer("agent@example.org").await;
    let deal = json!({"event": event.id, "subj": agent.id, "term": {"org": 91, "extra": 10}});
    org.post("deals", deal).await.ok();
    let promocode = event.promocode("TEN", json!({"percengate": "10%"}), json!({"amount": 1})).await;
    let tickets = event.ticket_ids().await;
    let before = org.get(&event.path).await.bytes;
    let wishes = [
        json!({"random": {&set.id: 3, &hall.id: 2}}),
        json!({"random": {&set.id: 3, &hall.id: 2}, "promocodes": ["ten"]}),
        json!({"tickets": [tickets[0], tickets[9]], "promocodes": ["none"]}),
        json!({"random": {&set.id: 99}, "all_or_nothing": true}),
        json!({}),
    ];
    for mut wish in wishes {
        wish["event"] = json!(event.id);
        for seller in [&org, &agent] {
            let quote = seller.post(QUOTE, wish.clone()).await.ok();
            assert_eq!(quote, seller.post(QUOTE, wish.clone()).await.ok(), "it can be asked for again");
            assert_eq!(org.get(&event.path).await.bytes, before, "nothing is taken");
            assert_eq!(promocode.uses().await, [0, 0]);
            assert_eq!(org.get("orders?status=executed").await.total(), 0);
            let order = seller.post("/v2/resources/orders", wish.clone()).await.ok();
            let (data, made) = (&quote["data"], &order["data"]);
            assert_eq!(shared(&data["values"], &data["tickets"]), shared(&made["values"], &made["tickets"]), "{wish}");
            assert_eq!(
                [&data["details"], &quote["errors"], &quote["refs"]],
                [&order["details"], &order["errors"], &order["refs"]]
            );
            assert!(data["tickets"].as_array().unwrap().iter().all(|ticket| ticket["status"] == "vacant"));
            let cents = |value: &Value| value.as_str().unwrap().replace('.', "").parse::<i64>().unwrap();
            let parts: i64 = ["org", "agent", "core"].iter().map(|part| cents(&data["split"][*part])).sum();
            assert_eq!(parts, cents(&data["values"]["full"]));
            let path = format!("/v2/resources/orders/{}", made["id"].as_str().unwrap());
            seller.patch(&path, json!({"status": "cancelled"})).await.ok();
        }
    }
}

pub(crate) async fn a_quote_is_split_as_the_deal_says(shop: Shop) {
    let (org, event, _) = given(&shop).await;
    let set = event.set(2, "1000.00").await;
    let agent = shop.organizer("agent@example.org").await;
    let deal = json!({"event": event.id, "subj": agent.id, "term": {"org": 91, "extra": 10}});
    org.post("deals", deal).await.ok();
    let quote = agent.post(QUOTE, set.random(2)).await.ok();
    assert_eq!(quote["data"]["split"], json!({"org": "1820.00", "agent": "320.00", "core": "60.00"}));
    assert_eq!(quote["data"]["values"]["full"], "2200.00");
}

pub(crate) async fn a_quote_is_refused_as_the_order_would_be(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    let stranger = shop.organizer("stranger@example.org").await;
    let mut wish = set.random(1);
    wish["event"] = json!(event.id);
    stranger.post(QUOTE, wish.clone()).await.refused(400, "deal_not_found");
    org.post(QUOTE, set.random(101)).await.refused(400, "tickets_limit");
    event.patch(json!({"status": "stand_by"})).await;
    let refused = org.post(QUOTE, wish).await.error();
    assert_eq!(
        (&refused["code"], refused.get("errors")),
        (&json!("event_not_on_sale"), None),
        "a service has no texts"
    );
}
