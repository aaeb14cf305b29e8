//! Prices in time.

use serde_json::{Value, json};

use crate::client::shape;
use crate::harness::{DAY_MS, Event, MINUTE_MS, Set, Shop};

fn vevent(start: &str, finish: &str) -> String {
    format!("BEGIN:VEVENT\r\nDTSTART;VALUE=DATE-TIME:{start}\r\nDTEND;VALUE=DATE-TIME:{finish}\r\nEND:VEVENT\r\n")
}

/// A set that is cheap in February and dear in March.
pub(crate) async fn seasonal(event: &Event) -> Set {
    let rules = json!([
        {"start": "2026-03-01T00:00:00Z", "finish": "2026-04-01T00:00:00Z", "price": "200.00"},
        {"cal": vevent("20260201T000000Z", "20260301T000000Z"), "price": 100},
    ]);
    event.set_with(json!({"name": "Parterre", "amount": 10, "rules": rules})).await
}

/// `(price, current_price, price of the rule in force)`
fn prices(set: &Value) -> [Value; 3] {
    [set["price"].clone(), set["current_price"].clone(), set["current_rule"]["price"].clone()]
}

#[tokio::test]
async fn rules_are_shown_by_start_under_both_names() {
    let shop = Shop::open().await;
    let event = shop.organizer("org@example.org").await.event("Concert").await;
    let set = seasonal(&event).await.now().await;
    assert_eq!(set["rule"], set["rules"]);
    insta::assert_snapshot!(shape(&set["rules"]), @r#"
    [
      {
        "cal": "BEGIN:VEVENT\r\nDTSTART;VALUE=DATE-TIME:20260201T000000Z\r\nDTEND;VALUE=DATE-TIME:20260301T000000Z\r\nEND:VEVENT\r\n",
        "current": false,
        "id": "[id]",
        "price": "100.00",
        "price_extra": "0.00",
        "price_org": "100.00"
      },
      {
        "cal": "BEGIN:VEVENT\r\nDTSTART;VALUE=DATE-TIME:20260301T000000Z\r\nDTEND;VALUE=DATE-TIME:20260401T000000Z\r\nEND:VEVENT\r\n",
        "current": false,
        "id": "[id]",
        "price": "200.00",
        "price_extra": "0.00",
        "price_org": "200.00"
      }
    ]
    "#);
}

#[tokio::test]
async fn the_price_is_that_of_the_rule_in_force_else_the_next_else_the_last() {
    let shop = Shop::open().await;
    let event = shop.organizer("org@example.org").await.event("Concert").await;
    let set = seasonal(&event).await;
    let cheap = json!("100.00");
    let dear = json!("200.00");
    assert_eq!(prices(&set.now().await), [cheap.clone(), cheap.clone(), json!(null)], "January");
    shop.pass_ms(31 * DAY_MS);
    assert_eq!(prices(&set.now().await), [cheap.clone(), cheap.clone(), cheap.clone()], "February");
    shop.pass_ms(28 * DAY_MS - 1);
    assert_eq!(prices(&set.now().await), [cheap.clone(), cheap.clone(), cheap], "its last moment");
    shop.pass_ms(1);
    assert_eq!(prices(&set.now().await), [dear.clone(), dear.clone(), dear.clone()], "March");
    shop.pass_ms(31 * DAY_MS);
    assert_eq!(prices(&set.now().await), [dear.clone(), dear, json!(null)], "April");
}

#[tokio::test]
async fn outside_every_rule_a_set_is_not_for_sale() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = seasonal(&event).await;
    let wanted = json!({"event": event.id, "random": {&set.id: 1}});
    let order = org.post("orders", wanted.clone()).await.created();
    assert_eq!(order["details"][0]["reason"], "not_on_sale");
    let tickets = event.ticket_ids().await;
    let order = org.post("orders", json!({"event": event.id, "tickets": [tickets[0]]})).await.created();
    assert_eq!(order["details"], json!([{"ticket": tickets[0], "reason": "not_on_sale", "reserved_till": null}]));
    shop.pass_ms(31 * DAY_MS);
    assert_eq!(org.post("orders", wanted).await.created()["value"], "100.00");
}

#[tokio::test]
async fn a_plain_price_lasts_to_the_end_of_the_event_and_moves_with_it() {
    let shop = Shop::open().await;
    let event = shop.organizer("org@example.org").await.event("Concert").await;
    let set = event.set(1, "100.00").await;
    assert_eq!(set.now().await["rules"][0]["cal"], vevent("20260101T000000Z", "20260601T210000Z"));
    event.patch(json!({"lifetime": vevent("20260701T180000Z", "20260701T230000Z")})).await;
    assert_eq!(set.now().await["rules"][0]["cal"], vevent("20260101T000000Z", "20260701T230000Z"));
}

#[tokio::test]
async fn a_price_is_written_before_any_extra() {
    let shop = Shop::open().await;
    let event = shop.organizer("org@example.org").await.event("Concert").await;
    for (written, shown) in
        [(json!("99.9"), "99.90"), (json!(100), "100.00"), (json!(0), "0.00"), (json!(1_000_000_000), "1000000000.00")]
    {
        let set = event.set_with(json!({"name": "X", "price_org": written})).await.now().await;
        assert_eq!(
            ["price", "price_org", "price_extra"].map(|part| set[part].clone()),
            [json!(shown), json!(shown), json!("0.00")]
        );
    }
}

#[tokio::test]
async fn a_new_price_ends_the_rule_in_force_and_old_orders_keep_theirs() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(10, "100.00").await;
    let order = org.order(&event, set.random(1)).await;
    let old = set.now().await["rules"][0]["id"].clone();
    shop.pass_ms(MINUTE_MS);
    let changed = set.patch(json!({"price": "150.00"})).await;
    assert_eq!(changed["rules"].as_array().unwrap().len(), 2);
    assert_eq!((&changed["rules"][0]["id"], &changed["rules"][0]["current"]), (&old, &json!(false)));
    assert_eq!(changed["rules"][0]["cal"], vevent("20260101T000000Z", "20260101T000100Z"));
    assert_eq!(changed["rules"][1]["cal"], vevent("20260101T000100Z", "20260601T210000Z"));
    assert_eq!(changed["current_rule"], changed["rules"][1]);
    let grown = order.patch(set.random(2)).await;
    assert_eq!(grown["value"], "250.00", "the first ticket keeps its price");
    assert_eq!(grown["rules"], json!({&set.id: changed["rules"][1]["id"]}), "the newest of two");
}

#[tokio::test]
async fn a_price_from_a_day_on_ends_the_one_that_has_sold() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(10, "100.00").await;
    let order = org.order(&event, set.random(1)).await;
    let raised = json!({"price": "150.00", "price_from": "2026-03-01T00:00:00Z"});
    let changed = set.patch(raised.clone()).await;
    assert_eq!(changed["rules"][0]["cal"], vevent("20260101T000000Z", "20260301T000000Z"));
    assert_eq!(changed["rules"][1]["cal"], vevent("20260301T000000Z", "20260601T210000Z"));
    assert_eq!((&changed["price"], &changed["rules"][1]["price"]), (&json!("100.00"), &json!("150.00")));
    assert_eq!(set.patch(raised).await, changed, "the same again changes nothing");
    let details =
        org.patch(&set.path, json!({"price_from": "2026-03-01T00:00:00Z"})).await.refused(400, "invalid_fields");
    assert_eq!(details[0]["field"], "$.price_from");
    let late = json!({"price": "200.00", "price_from": "2026-07-01T00:00:00Z"});
    org.patch(&set.path, late).await.refused(400, "rule_empty");
    let grown = order.patch(set.random(2)).await;
    assert_eq!(grown["value"], "200.00");
    shop.pass_ms(60 * DAY_MS);
    assert_eq!(set.now().await["price"], "150.00");
    let coming = event
        .set_with(json!({"name": "Late", "amount": 1, "price": "9.00", "price_from": "2026-05-01T00:00:00Z"}))
        .await;
    assert_eq!(coming.now().await["rules"][0]["cal"], vevent("20260501T000000Z", "20260601T210000Z"));
}

#[tokio::test]
async fn a_rule_that_has_sold_is_never_changed() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = seasonal(&event).await;
    shop.pass_ms(31 * DAY_MS);
    let order = org.order(&event, set.random(1)).await;
    order.becomes("canceled").await;
    let before = set.now().await;
    let mut rules = before["rules"].clone();
    rules[0]["price"] = json!("1.00");
    rules[0]["price_org"] = json!("1.00");
    org.patch(&set.path, json!({"rules": rules})).await.refused(400, "rule_sold");
    org.patch(&set.path, json!({"rules": [before["rules"][1]]})).await.refused(400, "rule_sold");
    assert_eq!(set.now().await, before);
    let kept = set.patch(json!({"rules": [before["rules"][0]]})).await;
    assert_eq!(kept["rules"], json!([before["rules"][0]]));
}

#[tokio::test]
async fn rules_do_not_overlap() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = seasonal(&event).await;
    let before = set.now().await;
    let rule = |start: &str, finish: &str| json!({"start": start, "finish": finish, "price": 1});
    let cases = [
        json!([
            rule("2026-02-01T00:00:00Z", "2026-03-01T00:00:01Z"),
            rule("2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z")
        ]),
        json!([{"price": 1}, {"price": 2}]),
        json!([
            rule("2026-02-01T00:00:00Z", "2026-05-01T00:00:00Z"),
            rule("2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z")
        ]),
    ];
    for rules in cases {
        org.patch(&set.path, json!({"rules": rules})).await.refused(400, "rules_overlap");
        org.post(&format!("{}/sets", event.path), json!({"name": "X", "rules": rules}))
            .await
            .refused(400, "rules_overlap");
    }
    assert_eq!(set.now().await, before);
    assert_eq!(event.now().await["sets"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn rules_can_be_sent_back_as_they_were_shown() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    for set in [seasonal(&event).await, event.set(1, "5.00").await] {
        let before = set.now().await;
        assert_eq!(set.patch(json!({"rules": before["rules"]})).await["rules"], before["rules"]);
    }
}

#[tokio::test]
async fn rules_of_an_event_without_an_end_can_be_sent_back_as_they_were_shown() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event_with(json!({"title": "Concert"})).await;
    let set = event.set(1, "5.00").await;
    let before = set.now().await;
    let again = org.patch(&set.path, json!({"rules": before["rules"]})).await.ok();
    assert_eq!(again["rules"], before["rules"]);
}

#[tokio::test]
async fn rules_can_be_changed_after_two_prices_within_one_second() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(2, "5.00").await;
    org.order(&event, set.random(1)).await;
    shop.pass_ms(500);
    let now = set.patch(json!({"price": "6.00"})).await;
    org.patch(&set.path, json!({"rules": now["rules"]})).await.ok();
}
