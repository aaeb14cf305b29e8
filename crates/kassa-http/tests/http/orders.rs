//! `/v1/resources/orders`: what an order holds.

use serde_json::{Value, json};

use crate::access::{Row, row};
use crate::client::{ids, shape};
use crate::harness::{NOTHING, Order, Org, Shop, tickets_of};

/// What each kind of caller gets.
#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    row("GET orders", "", 401, [200, 200], [200, 200], 200),
    row("POST orders", r#"{"event": "{event}", "tickets": []}"#, 401, [400, 400], [201, 201], 400),
    row("GET orders/{order}", "", 401, [404, 404], [200, 200], 200),
    row("GET orders/{order}/tickets", "", 401, [404, 404], [200, 200], 200),
    row("PATCH orders/{order}", "{}", 401, [404, 404], [200, 200], 200),
    row("DELETE orders/{order}", "", 401, [404, 404], [200, 200], 200),
];

/// An order of which not all is to be had.
async fn short(org: &Org, body: Value) -> Value {
    org.post("orders", body).await.created()
}

/// A new order of two tickets, with all that a request can say.
async fn made_with_all(shop: &Shop) -> Value {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let mut body = event.set(100, "100.00").await.random(2);
    (body["event"], body["status"]) = (json!(event.id), json!("done"));
    body["customer"] = json!({"email": "Ann@example.org", "first_name": "Ann"});
    body["payment"] = json!({"system": "api/BASE", "success_url": "https://a.example.org/ok"});
    org.post("orders", body).await.created()
}

pub(crate) async fn a_new_order_reserves_tickets(shop: Shop) {
    let mut made = made_with_all(&shop).await;
    // Which block it is of depends on the lane.
    let number = made["number"].take();
    assert_eq!(number.as_i64().map(|number| number % 10_000), Some(1), "the first of a block: {number}");
    insta::allow_duplicates! {
        insta::assert_snapshot!(shape(&made), @r#"
    {
      "created_at": "2026-01-01T00:00:00.000000+00:00",
      "customer": {
        "email": "ann@example.org",
        "first_name": "Ann",
        "lang": null,
        "last_name": null,
        "mobile": null,
        "user": "[id]"
      },
      "deal": null,
      "details": [],
      "event": "[id]",
      "id": "[id]",
      "number": null,
      "org": "[id]",
      "payment": {
        "failure_url": null,
        "send_tickets": false,
        "success_url": "https://a.example.org/ok",
        "system": "api/BASE"
      },
      "promocodes": [],
      "promotions": [],
      "refund_policy": {
        "after_start": false,
        "days_before": 0,
        "kept_percent": "0%"
      },
      "refunded": "0.00",
      "reserved_till": "2026-01-01T00:15:00.000000+00:00",
      "rules": {
        "[id]": "[id]"
      },
      "status": "executed",
      "tickets": [
        "[id]",
        "[id]"
      ],
      "updated_at": "2026-01-01T00:00:00.000000+00:00",
      "value": "200.00",
      "value_extra": "0.00",
      "values": {
        "discount": "0.00",
        "extra": "0.00",
        "full": "200.00",
        "nominal": "200.00",
        "sets": [
          {
            "d": "0.00",
            "id": "[id]",
            "p": "100.00",
            "promotion": null,
            "ps": []
          }
        ]
      },
      "vendor": "[id]"
    }
    "#);
    }
}

pub(crate) async fn details_are_in_answers_to_writes_only(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(100, "100.00").await;
    let made = short(&org, json!({"event": event.id, "random": {&set.id: 2}})).await;
    let order = Order::of(&org, &made);
    let mut shown = made;
    shown.as_object_mut().unwrap().remove("details");
    assert_eq!(order.now().await, shown, "details are in answers to writes only");
    assert_eq!(org.get("orders").await.ok(), json!([shown]));
    assert_eq!(set.amounts().await, (100, 98));
}

pub(crate) async fn an_order_says_what_it_wants(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(5, "1.00").await;
    let tickets = event.ticket_ids().await;
    let none = org.post("orders", json!({"event": event.id})).await.refused(400, "invalid_fields");
    assert_eq!(none, json!([{"field": "$.tickets", "problem": "is required, unless random is given"}]));
    let both = json!({"event": event.id, "tickets": [tickets[0]], "random": {&set.id: 1}});
    org.post("orders", both).await.refused(400, "invalid_fields");
    for empty in [json!({"tickets": []}), json!({"random": {}}), json!({"random": {&set.id: 0}})] {
        let order = org.order(&event, empty).await.now().await;
        assert_eq!((&order["tickets"], &order["value"], &order["customer"]), (&json!([]), &json!("0.00"), &json!({})));
    }
    assert_eq!(set.amounts().await, (5, 5));
}

pub(crate) async fn the_wish_is_the_full_state(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let (one, two) = (event.set(3, "10.00").await, event.set(3, "20.00").await);
    let tickets = event.ticket_ids().await;
    let order = org.order(&event, json!({"tickets": [tickets[0], tickets[1]]})).await;
    let held = order.now().await;
    let changed = order.patch(json!({"tickets": [tickets[1], tickets[5]]})).await;
    let mut now = tickets_of(&changed);
    now.sort_unstable();
    assert_eq!(now, [tickets[1].clone(), tickets[5].clone()]);
    assert_eq!((&changed["value"], &changed["reserved_till"]), (&json!("30.00"), &held["reserved_till"]));
    let grown = order.patch(json!({"random": {&one.id: 2, &two.id: 1}})).await;
    assert!(now.iter().all(|ticket| tickets_of(&grown).contains(ticket)), "what it holds counts");
    assert_eq!((tickets_of(&grown).len(), &grown["value"]), (3, &json!("40.00")));
    let fewer = order.patch(json!({"random": {&two.id: 3}})).await;
    assert_eq!(
        (tickets_of(&fewer).len(), &fewer["value"]),
        (3, &json!("60.00")),
        "a set that is not named counts as none"
    );
    assert_eq!((one.amounts().await, two.amounts().await), ((3, 3), (3, 0)));
    order.patch(json!({"tickets": []})).await;
    assert_eq!(two.amounts().await, (3, 3));
}

pub(crate) async fn what_is_not_to_be_had_is_left_out_and_told(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(4, "1.00").await;
    let tickets = event.ticket_ids().await;
    org.order(&event, json!({"tickets": [tickets[0]]})).await.becomes("done").await;
    let held = org.order(&event, json!({"tickets": [tickets[1]]})).await.now().await;
    set.patch(json!({"blocked": [tickets[2]]})).await;
    let order = short(&org, json!({"event": event.id, "tickets": tickets})).await;
    assert_eq!(tickets_of(&order), [tickets[3].clone()]);
    let expected = json!([
        {"ticket": tickets[0], "reason": "sold", "reserved_till": null},
        {"ticket": tickets[1], "reason": "reserved", "reserved_till": held["reserved_till"]},
        {"ticket": tickets[2], "reason": "blocked", "reserved_till": null},
    ]);
    assert_eq!(order["details"], expected);
    let none = short(&org, json!({"event": event.id, "random": {&set.id: 3}})).await;
    assert_eq!(none["details"], json!([{"set": set.id, "wanted": 3, "got": 0, "reason": "reserved"}]));
}

pub(crate) async fn a_set_sells_out_exactly(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(5, "1.00").await;
    org.order(&event, set.random(3)).await;
    let rest = short(&org, json!({"event": event.id, "random": {&set.id: 3}})).await;
    assert_eq!(rest["details"], json!([{"set": set.id, "wanted": 3, "got": 2, "reason": "reserved"}]));
    assert_eq!((tickets_of(&rest).len(), set.amounts().await), (2, (5, 0)));
}

pub(crate) async fn all_or_nothing_takes_nothing_and_gives_nothing_back(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(3, "1.00").await;
    let tickets = event.ticket_ids().await;
    org.order(&event, json!({"tickets": [tickets[2]]})).await;
    for flag in [json!(true), json!("true")] {
        let wanted = json!({"event": event.id, "random": {&set.id: 3}, "all_or_nothing": flag});
        let empty = short(&org, wanted).await;
        assert_eq!(
            (&empty["tickets"], &empty["value"], &empty["status"]),
            (&json!([]), &json!("0.00"), &json!("executed"))
        );
        assert_eq!(empty["details"][0]["reason"], "reserved");
        let order = org.order(&event, json!({"tickets": [tickets[0]]})).await;
        let answer = order.patch(json!({"tickets": [tickets[1], tickets[2]], "all_or_nothing": flag})).await;
        assert_eq!(tickets_of(&answer), [tickets[0].clone()]);
        assert_eq!(answer["details"][0]["ticket"], json!(tickets[2]));
        order.becomes("canceled").await;
    }
    let both = json!({"random": {&set.id: 2}, "all_or_nothing": true});
    assert_eq!(org.order(&event, both).await.tickets().await.len(), 2);
    let wrong = json!({"event": event.id, "tickets": [], "all_or_nothing": "yes"});
    org.post("orders", wrong).await.refused(400, "invalid_fields");
}

pub(crate) async fn what_does_not_resolve_is_refused(shop: Shop) {
    let (org, other) = (shop.organizer("org@example.org").await, shop.organizer("other@example.org").await);
    let (event, foreign) = (org.event("Concert").await, other.event("Gala").await);
    let (set, theirs) = (event.set(3, "1.00").await, foreign.set(1, "1.00").await);
    let hidden = other.event_with(json!({"title": "Secret"})).await;
    let ticket = event.ticket_ids().await[0].clone();
    let cases = [
        (json!({"event": NOTHING, "tickets": []}), "event_not_found"),
        (json!({"event": hidden.id, "tickets": []}), "event_not_found"),
        (json!({"event": foreign.id, "tickets": []}), "deal_not_found"),
        (json!({"event": event.id, "tickets": [], "deal": NOTHING}), "deal_not_found"),
        (json!({"event": event.id, "tickets": [NOTHING]}), "ticket_not_found"),
        (json!({"event": event.id, "tickets": [foreign.ticket_ids().await[0]]}), "ticket_not_found"),
        (json!({"event": event.id, "random": {NOTHING: 1}}), "set_not_found"),
        (json!({"event": event.id, "random": {&theirs.id: 1}}), "set_not_found"),
        (json!({"event": event.id, "random": {&theirs.id: 0}}), "set_not_found"),
        (json!({"event": event.id, "tickets": [ticket, ticket]}), "ticket_twice"),
        (json!({"event": event.id, "random": {&set.id: 101}}), "tickets_limit"),
    ];
    for (body, code) in cases {
        org.post("orders", body).await.refused(400, code);
    }
    assert_eq!(org.get("orders").await.ok(), json!([]));
    assert_eq!((set.amounts().await, theirs.amounts().await), ((3, 3), (1, 1)));
}

pub(crate) async fn an_event_limits_the_tickets_of_an_order(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let (one, two) = (event.set(200, "1.00").await, event.set(200, "1.00").await);
    let order = org.order(&event, json!({"random": {&one.id: 50, &two.id: 50}})).await;
    order.refuses(json!({"random": {&one.id: 51, &two.id: 50}}), 400, "tickets_limit").await;
    let all = event.ticket_ids().await;
    order.refuses(json!({"tickets": all[..101]}), 400, "tickets_limit").await;
    event.patch(json!({"tickets_limit": 3})).await;
    order.refuses(json!({"random": {&one.id: 4}}), 400, "tickets_limit").await;
    assert_eq!(order.tickets().await.len(), 100);
    assert_eq!(order.patch(json!({"random": {&one.id: 3}})).await["value"], "3.00");
    for bad in [0, 101] {
        org.patch(&event.path, json!({"tickets_limit": bad})).await.refused(400, "invalid_fields");
    }
}

pub(crate) async fn only_public_events_sell_until_they_end(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(5, "1.00").await;
    let order = org.order(&event, set.random(1)).await;
    let wanted = json!({"event": event.id, "random": {&set.id: 1}});
    event.patch(json!({"status": "stand_by"})).await;
    org.post("orders", wanted.clone()).await.refused(400, "event_not_on_sale");
    order.refuses(set.random(2), 400, "event_not_on_sale").await;
    event.patch(json!({"status": "public"})).await;
    order.patch(set.random(2)).await;
    shop.pass_ms(crate::harness::TO_END_OF_EVENING_MS);
    org.post("orders", wanted).await.refused(400, "event_not_on_sale");
}

pub(crate) async fn orders_are_listed_newest_first_and_filtered(shop: Shop) {
    let (org, other) = (shop.organizer("org@example.org").await, shop.organizer("other@example.org").await);
    let (event, gala) = (org.event("Concert").await, org.event("Gala").await);
    let first = org.order(&event, json!({"tickets": []})).await;
    let second = org.order(&gala, json!({"tickets": []})).await;
    let third = org.order(&event, json!({"tickets": []})).await;
    first.becomes("canceled").await;
    assert_eq!(ids(&org.get("orders").await.ok()), [third.id.clone(), second.id.clone(), first.id.clone()]);
    let cases = [
        (format!("event={}", event.id), 2),
        (format!("event={},{}", event.id, gala.id), 3),
        ("status=canceled".to_owned(), 1),
        ("status=cancelled".to_owned(), 1),
        ("status=executed,in_progress,done,expired".to_owned(), 2),
        (format!("vendor={}", org.id), 3),
        (format!("vendor={}", other.id), 0),
        (format!("org={}&status=executed&event={}", org.id, event.id), 1),
        (format!("ids={},{NOTHING}", second.id), 1),
    ];
    for (query, count) in cases {
        let list = org.get(&format!("orders?{query}")).await;
        assert_eq!(list.total(), count, "{query}");
        assert_eq!(list.ok().as_array().unwrap().len(), count, "{query}");
        assert_eq!(other.get(&format!("orders?{query}")).await.ok(), json!([]), "{query}");
    }
    for bad in ["status=open", "event=1", "vendor=x"] {
        org.get(&format!("orders?{bad}")).await.refused(400, "invalid_fields");
    }
}

pub(crate) async fn numbers_are_unique_and_grow(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let mut last = 0;
    for _ in 0..5 {
        let number = org.order(&event, json!({"tickets": []})).await.now().await["number"].as_i64().unwrap();
        assert!(number > last);
        last = number;
    }
}

#[tokio::test]
async fn orders_are_filtered_by_the_status_refunded() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    assert_eq!(org.get("orders?status=refunded,done").await.ok(), json!([]));
}

#[tokio::test]
async fn null_clears_customer_and_payment() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let about = json!({"tickets": [], "customer": {"first_name": "Ann"}, "payment": {"system": "api/BASE", "send_tickets": true}});
    let order = org.order(&event, about).await;
    let cleared = order.patch(json!({"customer": null, "payment": null})).await;
    assert_eq!(cleared["customer"], json!({}));
    assert_eq!((&cleared["payment"]["system"], &cleared["payment"]["send_tickets"]), (&json!(null), &json!(false)));
}

#[tokio::test]
async fn a_refused_order_leaves_no_customer_behind() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let body = json!({"event": NOTHING, "tickets": [], "customer": {"email": "ann@example.org"}});
    org.post("orders", body).await.refused(400, "event_not_found");
    shop.user("ann@example.org").await;
}
