//! Orders with promocodes.

use serde_json::{Value, json};

use crate::client::shape;
use crate::harness::{Event, MINUTE_MS, Order, Org, Set, Shop};

fn percent() -> Value {
    json!({"percengate": "30%"})
}

/// A wish for so many tickets with these codes.
fn wish(set: &Set, count: u32, codes: &[&str]) -> Value {
    json!({"random": {&set.id: count}, "promocodes": codes})
}

async fn given(shop: &Shop) -> (Org, Event, Set) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(9, "100.00").await;
    (org, event, set)
}

pub(crate) async fn thirty_percent_on_three_tickets_of_one_hundred(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    let promocode = event.promocode("PROMO", percent(), json!({})).await;
    let order = org.order(&event, wish(&set, 3, &["promo"])).await.now().await;
    insta::allow_duplicates! {
        insta::assert_snapshot!(shape(&order["values"]), @r#"
    {
      "discount": "90.00",
      "extra": "0.00",
      "full": "210.00",
      "nominal": "210.00",
      "sets": [
        {
          "d": "30.00",
          "id": "[id]",
          "p": "70.00",
          "promotion": null,
          "ps": [
            "[id]"
          ]
        }
      ]
    }
    "#);
    }
    let named = json!([promocode.id]);
    assert_eq!(
        [&order["value"], &order["promocodes"], &order["values"]["sets"][0]["ps"]],
        [&json!("210.00"), &named, &named]
    );
}

pub(crate) async fn a_hundred_off_a_ticket_of_one_thousand(shop: Shop) {
    let (org, event, _) = given(&shop).await;
    let dear = event.set(1, "1000.00").await;
    event.promocode("100", json!({"fix": "100.00"}), json!({})).await;
    let agent = shop.organizer("agent@example.org").await;
    let terms = json!({"event": event.id, "subj": agent.id, "term": {"org": 90, "extra": 5.5}});
    org.post("deals", terms).await.ok();
    let mut body = wish(&dear, 1, &["100"]);
    body["event"] = json!(event.id);
    let values = agent.post("orders", body).await.created()["values"].clone();
    let shown = ["discount", "nominal", "extra", "full"].map(|name| values[name].clone());
    assert_eq!(shown, ["100.00", "900.00", "49.50", "949.50"]);
}

pub(crate) async fn an_order_says_which_codes_it_names(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    let (one, two) = (
        event.promocode("ONE", percent(), json!({"amount": 1})).await,
        event.promocode("TWO", json!({"fixed": 1}), json!({})).await,
    );
    let order = org.order(&event, set.random(1)).await;
    assert_eq!(order.now().await["promocodes"], json!([]));
    let cases = [
        (json!({"promocodes": ["one", "Two", " ONE "]}), json!([one.id, two.id]), "70.00"),
        (json!({"customer": {"first_name": "Ann"}}), json!([one.id, two.id]), "70.00"),
        (json!({"promocodes": ["two"]}), json!([two.id]), "99.00"),
        (json!({"promocodes": ["two", "one"]}), json!([two.id, one.id]), "70.00"),
        (json!({"promocodes": null}), json!([]), "100.00"),
        (json!({"promocodes": ["one"]}), json!([one.id]), "70.00"),
        (json!({"promocodes": []}), json!([]), "100.00"),
    ];
    for (change, named, value) in cases {
        let changed = order.patch(change.clone()).await;
        assert_eq!([&changed["promocodes"], &changed["value"]], [&named, &json!(value)], "{change}");
    }
    for bad in [json!("one"), json!([1]), json!([""]), json!([["one"]])] {
        order.refuses(json!({"promocodes": bad}), 400, "invalid_fields").await;
    }
    let many: Vec<String> = (0..11).map(|at| format!("CODE {at}")).collect();
    order.refuses(json!({"promocodes": many}), 400, "too_many").await;
}

pub(crate) async fn a_code_that_cannot_be_used_is_refused_and_nothing_changes(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    let other = event.set(1, "1.00").await;
    let good = event.promocode("GOOD", percent(), json!({})).await;
    let codes = [
        ("LAPSED", json!({"lifetime": {"finish": "2026-01-01T00:00:00Z"}}), "promocode_not_found"),
        ("EARLY", json!({"lifetime": {"start": "2026-01-02T00:00:00Z"}}), "promocode_not_found"),
        ("OTHERS", json!({"sets": [other.id]}), "promocode_apply_info"),
        ("THREE", json!({"tickets_count": {"min": 3}}), "promocode_limit_min_tickets"),
        ("SINGLE", json!({"tickets_count": {"max": 1}}), "promocode_apply_info"),
        ("GONE", json!({"amount": 0}), "promocode_already_used"),
    ];
    for (code, fields, _) in &codes {
        event.promocode(code, percent(), fields.clone()).await;
    }
    let order = org.order(&event, set.random(1)).await;
    let before = order.now().await;
    for (code, refusal) in
        codes.iter().map(|(code, _, refusal)| (*code, *refusal)).chain([("NONE", "promocode_not_found")])
    {
        let named = ["GOOD", code];
        let mut new = wish(&set, 2, &named);
        order.refuses(new.clone(), 400, refusal).await;
        new["event"] = json!(event.id);
        org.post("orders", new).await.refused(400, refusal);
    }
    assert_eq!((order.now().await, set.amounts().await, good.uses().await), (before, (9, 8), [0, 0]));
    assert_eq!(org.get("orders").await.total(), 1);
}

pub(crate) async fn uses_are_held_used_up_and_given_back(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    let promocode = event.promocode("SPRING", percent(), json!({"amount": 3})).await;
    let mut orders = Vec::new();
    for _ in 0..3 {
        orders.push(org.order(&event, wish(&set, 1, &["SPRING"])).await);
    }
    assert_eq!(promocode.uses().await, [3, 0]);
    let late = org.order(&event, set.random(1)).await;
    let named = json!({"promocodes": ["SPRING"]});
    late.refuses(named.clone(), 400, "promocode_already_used").await;
    orders[0].becomes("in_progress").await;
    orders[0].becomes("done").await;
    assert_eq!(promocode.uses().await, [2, 1]);
    let canceled = orders[1].becomes("canceled").await;
    assert_eq!((promocode.uses().await, &canceled["promocodes"]), ([1, 1], &json!([promocode.id])));
    late.patch(named).await;
    assert_eq!(promocode.uses().await, [2, 1]);
    assert_eq!(org.delete(&late.path).await.ok(), json!({}));
    assert_eq!(shop.expire_after_ms(15 * MINUTE_MS).await, 1);
    let expired = orders[2].now().await;
    assert_eq!(
        [&expired["status"], &expired["value"], &expired["promocodes"]],
        [&json!("expired"), &json!("70.00"), &json!([promocode.id])]
    );
    assert_eq!((promocode.uses().await, set.amounts().await), ([0, 1], (9, 8)));
}

pub(crate) async fn codes_are_changed_before_payment_begins(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    event.promocode("SPRING", percent(), json!({"tickets_count": {"min": 2}})).await;
    for state in ["in_progress", "done", "canceled"] {
        let order = org.order(&event, wish(&set, 2, &["SPRING"])).await;
        order.becomes(state).await;
        let before = order.now().await;
        for same in [json!(["SPRING"]), json!(["spring"]), before["promocodes"].clone()] {
            order.patch(json!({"promocodes": same})).await;
            assert_eq!(order.now().await, before, "{same}");
        }
        for codes in [json!(["OTHER"]), json!([]), json!(null)] {
            order.refuses(json!({"promocodes": codes}), 400, "order_final").await;
        }
    }
    let order = org.order(&event, wish(&set, 2, &["SPRING"])).await;
    let begun = order.patch(json!({"promocodes": ["spring"], "status": "in_progress"})).await;
    assert_eq!([&begun["status"], &begun["value"]], [&json!("in_progress"), &json!("140.00")]);
    let fewer = order.patch(set.random(1)).await;
    assert_eq!(fewer["value"], "100.00", "one ticket is too few for the code");
}

/// An order for a ticket with a code of one use, which has expired.
async fn lapsed(shop: &Shop, org: &Org, event: &Event, set: &Set) -> Order {
    let order = org.order(event, wish(set, 1, &["LAST"])).await;
    assert_eq!(shop.expire_after_ms(15 * MINUTE_MS).await, 1);
    order
}

pub(crate) async fn late_money_needs_the_use_of_its_code(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    let promocode = event.promocode("LAST", percent(), json!({"amount": 1})).await;
    let late = lapsed(&shop, &org, &event, &set).await;
    let other = org.order(&event, wish(&set, 1, &["LAST"])).await;
    late.refuses(json!({"status": "done"}), 409, "promocode_gone").await;
    assert_eq!((late.status().await, set.amounts().await), ("expired".to_owned(), (9, 8)));
    other.becomes("canceled").await;
    promocode.patch(json!({"lifetime": {"finish": "2026-01-01T00:00:00Z"}})).await;
    let done = late.becomes("done").await;
    assert_eq!([&done["value"], &done["promocodes"]], [&json!("70.00"), &json!([promocode.id])]);
    assert_eq!(promocode.uses().await, [0, 1]);
}

pub(crate) async fn on_each_ticket_acts_the_best_code(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    let dear = event.set(9, "1000.00").await;
    let (fixed, part) = (
        event.promocode("FIXED", json!({"fixed": 50}), json!({})).await,
        event.promocode("PART", percent(), json!({})).await,
    );
    let idle = event.promocode("IDLE", json!({"fixed": 1}), json!({})).await;
    let body = json!({"random": {&set.id: 1, &dear.id: 1}, "promocodes": ["IDLE", "PART", "FIXED"]});
    let order = org.order(&event, body).await;
    let mut sets = order.now().await["values"]["sets"].as_array().unwrap().clone();
    sets.sort_by_key(|set| set["d"].to_string().len());
    let expected = [
        json!({"id": set.id, "d": "50.00", "p": "50.00", "ps": [fixed.id], "promotion": null}),
        json!({"id": dear.id, "d": "300.00", "p": "700.00", "ps": [part.id], "promotion": null}),
    ];
    assert_eq!(sets, expected);
    assert_eq!(idle.uses().await, [1, 0]);
    let done = order.becomes("done").await;
    assert_eq!([&done["value"], &done["promocodes"]], [&json!("750.00"), &json!([part.id, fixed.id])]);
    assert_eq!((idle.uses().await, part.uses().await), ([0, 0], [0, 1]), "what did nothing is given back");
}
