//! `/v1/resources/events/{event}/sets`: amounts and their books.

use serde_json::{Value, json};

use crate::access::{Row, row};
use crate::client::{ids, shape};
use crate::harness::{Shop, text};

/// What each kind of caller gets.
#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    row("GET events/{event}/sets", "", 200, [200, 200], [200, 200], 200),
    row("GET events/{hidden}/sets", "", 404, [404, 404], [200, 200], 200),
    row("POST events/{event}/sets", r#"{"name": "X"}"#, 401, [403, 403], [201, 201], 201),
    row("POST events/{hidden}/sets", r#"{"name": "X"}"#, 401, [404, 404], [201, 201], 201),
    row("GET events/{event}/sets/{set}", "", 200, [200, 200], [200, 200], 200),
    row("PATCH events/{event}/sets/{set}", "{}", 401, [403, 403], [200, 200], 200),
    row("DELETE events/{event}/sets/{set}", "", 401, [403, 403], [400, 400], 400),
    row("DELETE events/{hidden}/sets/{backstage}", "", 401, [404, 404], [200, 200], 200),
];

pub(crate) async fn a_new_set_is_for_sale_at_once(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let body = json!({"name": "Parterre", "amount": 100, "price": "100.00", "description": "Near", "sector": "A"});
    let made = org.post(&format!("{}/sets", event.path), body).await.created();
    insta::allow_duplicates! {
        insta::assert_snapshot!(shape(&made), @r#"
    {
      "amount": 100,
      "amount_vacant": 100,
      "created_at": "2026-01-01T00:00:00.000000+00:00",
      "current_price": "100.00",
      "current_rule": {
        "cal": "BEGIN:VEVENT\r\nDTSTART;VALUE=DATE-TIME:20260101T000000Z\r\nDTEND;VALUE=DATE-TIME:20260601T210000Z\r\nEND:VEVENT\r\n",
        "current": true,
        "id": "[id]",
        "price": "100.00",
        "price_extra": "0.00",
        "price_org": "100.00"
      },
      "desc": "Near",
      "description": "Near",
      "event": "[id]",
      "id": "[id]",
      "name": "Parterre",
      "pos": 0,
      "price": "100.00",
      "price_extra": "0.00",
      "price_org": "100.00",
      "removed": false,
      "rule": [
        {
          "cal": "BEGIN:VEVENT\r\nDTSTART;VALUE=DATE-TIME:20260101T000000Z\r\nDTEND;VALUE=DATE-TIME:20260601T210000Z\r\nEND:VEVENT\r\n",
          "current": true,
          "id": "[id]",
          "price": "100.00",
          "price_extra": "0.00",
          "price_org": "100.00"
        }
      ],
      "rules": [
        {
          "cal": "BEGIN:VEVENT\r\nDTSTART;VALUE=DATE-TIME:20260101T000000Z\r\nDTEND;VALUE=DATE-TIME:20260601T210000Z\r\nEND:VEVENT\r\n",
          "current": true,
          "id": "[id]",
          "price": "100.00",
          "price_extra": "0.00",
          "price_org": "100.00"
        }
      ],
      "seats": null,
      "sector": "A",
      "updated_at": "2026-01-01T00:00:00.000000+00:00",
      "with_seats": false
    }
    "#);
    }
    let path = format!("{}/sets/{}", event.path, text(&made["id"]));
    assert_eq!(org.get(&path).await.ok(), made);
    assert_eq!(shop.anonymous().get(&path).await.ok(), made);
}

pub(crate) async fn a_set_needs_a_name_only(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let made = org.post(&format!("{}/sets", event.path), json!({"name": "Later"})).await.created();
    assert_eq!((&made["amount"], &made["price"], &made["rules"]), (&json!(0), &json!("0.00"), &json!([])));
    assert_eq!((&made["current_rule"], &made["sector"]), (&json!(null), &json!(null)));
}

pub(crate) async fn a_removed_set_answers_itself_and_leaves_the_lists(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let (set, other) = (event.set(3, "1.00").await, event.set(2, "1.00").await);
    let removed = org.delete(&set.path).await.ok();
    assert_eq!((&removed["id"], &removed["removed"]), (&json!(set.id), &json!(true)));
    assert_eq!(removed["rules"].as_array().unwrap().len(), 1);
    let sets = format!("{}/sets", event.path);
    let list = org.get(&sets).await;
    assert_eq!(list.total(), 1);
    assert_eq!(ids(&list.ok()), [other.id]);
    assert_eq!(org.get(&format!("{sets}?removed=true")).await.total(), 2);
    assert_eq!(shop.anonymous().get(&format!("{sets}?removed=true")).await.total(), 1);
    shop.anonymous().get(&set.path).await.refused(404, "not_found");
    assert_eq!(set.now().await["removed"], true);
    assert_eq!(event.tickets().await.len(), 2);
    let mut wanted = set.random(1);
    wanted["event"] = json!(event.id);
    let order = org.post("orders", wanted).await.created();
    assert_eq!(order["details"], json!([{"set": set.id, "wanted": 1, "got": 0, "reason": "not_on_sale"}]));
    assert_eq!(org.delete(&set.path).await.ok()["removed"], true);
}

pub(crate) async fn a_set_is_of_its_event(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let (event, other) = (org.event("Concert").await, org.event("Gala").await);
    let set = event.set(1, "1.00").await;
    let elsewhere = format!("{}/sets/{}", other.path, set.id);
    org.get(&elsewhere).await.refused(404, "not_found");
    org.patch(&elsewhere, json!({"name": "X"})).await.refused(404, "not_found");
    org.delete(&elsewhere).await.refused(404, "not_found");
}

pub(crate) async fn a_change_touches_what_it_names(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let body = json!({"name": "Parterre", "amount": 2, "price": 5, "desc": "Near", "sector": "A", "pos": 3});
    let set = event.set_with(body).await;
    let before = set.now().await;
    shop.pass_ms(1_000);
    let changed = set.patch(json!({"name": "Stalls"})).await;
    let mut expected = before.clone();
    expected["name"] = json!("Stalls");
    expected["updated_at"] = json!("2026-01-01T00:00:01.000000+00:00");
    assert_eq!(changed, expected);
    let cleared = set.patch(json!({"desc": null, "sector": null, "pos": null})).await;
    let parts = ["desc", "description", "sector", "pos"].map(|part| cleared[part].clone());
    assert_eq!(parts, [json!(null), json!(null), json!(null), json!(0)]);
}

pub(crate) async fn up_to_ten_thousand_tickets_are_made_at_once(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(10_000, "1.00").await;
    assert_eq!(set.amounts().await, (10_000, 10_000));
    assert_eq!(set.patch(json!({"amount": 4})).await["amount"], 4);
    assert_eq!(event.tickets().await.len(), 4);
    set.patch(json!({"amount": 6})).await;
    let numbers: Vec<Value> = event.tickets().await.iter().map(|ticket| ticket["number"].clone()).collect();
    assert_eq!(numbers.len(), 6);
    assert_eq!(&numbers[4..], [10_001, 10_002], "numbers are not used twice");
}

pub(crate) async fn more_tickets_are_made_and_taken_away_step_by_step(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(25_000, "1.00").await;
    assert_eq!(set.amounts().await, (25_000, 10_000), "the rest is pending");
    assert_eq!(event.tickets().await.len(), 10_000);
    let order = org.order(&event, set.random(2)).await;
    shop.run_jobs().await;
    assert_eq!(set.amounts().await, (25_000, 24_998));
    let list = org.get(&format!("{}/tickets?status=vacant", event.path)).await;
    assert_eq!((list.total(), list.ok().as_array().unwrap().len()), (24_998, 24_998));
    let lowered = set.patch(json!({"amount": 5})).await;
    assert_eq!(
        (&lowered["amount"], &lowered["amount_vacant"]),
        (&json!(15_000), &json!(3)),
        "only what stays is for sale"
    );
    shop.run_jobs().await;
    assert_eq!(set.amounts().await, (5, 3));
    assert_eq!(order.tickets().await.len(), 2);
    org.patch(&set.path, json!({"amount": 1})).await.refused(400, "amount_below_sold");
}

pub(crate) async fn a_lowering_leaves_what_is_held_sold_or_blocked(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(6, "1.00").await;
    let tickets = event.ticket_ids().await;
    org.order(&event, json!({"tickets": [tickets[0]]})).await.becomes("done").await;
    org.order(&event, json!({"tickets": [tickets[2]]})).await;
    set.patch(json!({"blocked": [tickets[4]]})).await;
    org.patch(&set.path, json!({"amount": 2})).await.refused(400, "amount_below_sold");
    assert_eq!(set.amounts().await, (6, 3));
    set.patch(json!({"amount": 3})).await;
    assert_eq!(set.amounts().await, (3, 0));
    assert_eq!(event.ticket_ids().await, [tickets[0].clone(), tickets[2].clone(), tickets[4].clone()]);
}

pub(crate) async fn blocked_is_the_full_list_of_what_is_held_back(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(4, "1.00").await;
    let tickets = event.ticket_ids().await;
    let statuses = |list: Vec<Value>| list.iter().map(|ticket| text(&ticket["status"])).collect::<Vec<String>>();
    set.patch(json!({"blocked": [tickets[0], tickets[1]]})).await;
    assert_eq!(statuses(event.tickets().await), ["blocked", "blocked", "vacant", "vacant"]);
    set.patch(json!({"blocked": [tickets[1], tickets[2]]})).await;
    assert_eq!(statuses(event.tickets().await), ["vacant", "blocked", "blocked", "vacant"]);
    assert_eq!(set.amounts().await, (4, 2));
    let order = org.order(&event, json!({"tickets": [tickets[3]]})).await;
    org.patch(&set.path, json!({"blocked": [tickets[3]]})).await.refused(400, "ticket_not_vacant");
    org.patch(&set.path, json!({"blocked": [tickets[1], tickets[1]]})).await.refused(400, "ticket_twice");
    let other = event.set(1, "1.00").await;
    let foreign = event.ticket_ids().await[4].clone();
    org.patch(&set.path, json!({"blocked": [foreign]})).await.refused(400, "ticket_not_found");
    assert_eq!(other.amounts().await, (1, 1));
    assert_eq!(statuses(event.tickets().await), ["vacant", "blocked", "blocked", "reserved", "vacant"]);
    set.patch(json!({"blocked": []})).await;
    assert_eq!(set.amounts().await, (4, 3));
    order.becomes("canceled").await;
    assert_eq!(set.amounts().await, (4, 4));
}
