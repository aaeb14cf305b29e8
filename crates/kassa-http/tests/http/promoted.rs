//! Orders while promotions run.

use serde_json::{Value, json};

use crate::client::shape;
use crate::harness::{Event, MINUTE_MS, Org, Promotion, Set, Shop};

async fn given(shop: &Shop) -> (Org, Event, Set) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(9, "100.00").await;
    (org, event, set)
}

/// Ten percent off three tickets and more, twenty off five and more.
async fn stepped(event: &Event) -> Promotion {
    event.promotion(json!([{"from": 3, "value": "10%"}, {"from": 5, "value": "20%"}]), &json!({})).await
}

pub(crate) async fn ten_percent_on_three_tickets_of_one_hundred(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    let promotion = stepped(&event).await;
    let order = org.order(&event, set.random(3)).await.now().await;
    insta::allow_duplicates! {
        insta::assert_snapshot!(shape(&order["values"]), @r#"
    {
      "discount": "30.00",
      "extra": "0.00",
      "full": "270.00",
      "nominal": "270.00",
      "sets": [
        {
          "d": "10.00",
          "id": "[id]",
          "p": "90.00",
          "promotion": "[id]",
          "ps": []
        }
      ]
    }
    "#);
    }
    assert_eq!([&order["promotions"], &order["promocodes"]], [&json!([promotion.id]), &json!([])]);
    assert_eq!([&order["value"], &order["values"]["sets"][0]["promotion"]], [&json!("270.00"), &json!(promotion.id)]);
}

pub(crate) async fn the_level_follows_the_order(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    let promotion = stepped(&event).await;
    let order = org.order(&event, set.random(2)).await;
    assert_eq!(order.now().await["promotions"], json!([]));
    for (count, value, acts) in [(5, "400.00", true), (4, "360.00", true), (1, "100.00", false), (3, "270.00", true)] {
        let changed = order.patch(set.random(count)).await;
        let promotions = if acts { json!([promotion.id]) } else { json!([]) };
        assert_eq!([&changed["value"], &changed["promotions"]], [&json!(value), &promotions], "{count}");
    }
}

pub(crate) async fn by_sum_an_amount_is_taken_off_each_ticket(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    let cheap = event.set(9, "4.00").await;
    let levels = json!([{"from": "100.00", "value": "5.00"}, {"from": "208.00", "value": "7.50"}]);
    event.promotion(levels, &json!({"by": "sum", "kind": "fix"})).await;
    let cases = [(0, 9, "36.00"), (1, 0, "95.00"), (1, 1, "95.00"), (2, 1, "190.00"), (2, 2, "185.00")];
    for (dear, few, value) in cases {
        let order = org.order(&event, json!({"random": {&set.id: dear, &cheap.id: few}})).await;
        assert_eq!(order.now().await["value"], value, "{dear} and {few}");
        order.becomes("canceled").await;
    }
}

pub(crate) async fn no_promocode_is_named_while_a_promotion_runs(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    let promocode = event.promocode("SPRING", json!({"percengate": "30%"}), json!({})).await;
    let named = |count| json!({"random": {&set.id: count}, "promocodes": ["SPRING"]});
    let before = org.order(&event, named(1)).await;
    let promotion = stepped(&event).await;
    let mut new = named(1);
    new["event"] = json!(event.id);
    let answer = org.post("orders", new).await;
    assert_eq!(answer.json()["reason"], "Promocodes cannot be added while a promotion of the event runs");
    answer.refused(400, "promotion_runs");
    let order = org.order(&event, set.random(1)).await;
    order.refuses(named(1), 400, "promotion_runs").await;
    let kept = before.patch(named(3)).await;
    assert_eq!([&kept["value"], &kept["promotions"]], [&json!("210.00"), &json!([])], "the code is the better one");
    assert_eq!(promocode.uses().await, [1, 0]);
    promotion.patch(json!({"lifetime": {"finish": "2026-01-01T00:00:00Z"}})).await;
    assert_eq!(order.patch(named(1)).await["value"], "70.00");
}

/// What becomes of a promotion.
type Fate = (&'static str, Value);

pub(crate) async fn an_order_keeps_what_it_was_promised(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    let fates: [Fate; 3] = [
        ("PATCH", json!({"levels": [{"from": 1, "value": 1}]})),
        ("PATCH", json!({"lifetime": {"finish": "2026-01-01T00:00:00Z"}})),
        ("DELETE", json!({})),
    ];
    for (method, body) in fates {
        let promotion = stepped(&event).await;
        let order = org.order(&event, set.random(3)).await;
        org.send(method, &promotion.path, Some("application/json"), body.to_string().into_bytes()).await.ok();
        let paying = order.patch(json!({"payment": {"system": "api/BASE"}})).await;
        assert_eq!(paying["value"], "270.00", "{method} {body}");
        assert_eq!(order.patch(set.random(5)).await["value"], "400.00", "{method} {body}");
        order.becomes("canceled").await;
        org.delete(&promotion.path).await.ok();
    }
}

pub(crate) async fn late_money_has_the_promised_price(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    let promotion = stepped(&event).await;
    let late = org.order(&event, set.random(3)).await;
    assert_eq!(shop.expire_after_ms(15 * MINUTE_MS).await, 1);
    org.delete(&promotion.path).await.ok();
    let done = late.becomes("done").await;
    assert_eq!([&done["value"], &done["promotions"]], [&json!("270.00"), &json!([promotion.id])]);
}
