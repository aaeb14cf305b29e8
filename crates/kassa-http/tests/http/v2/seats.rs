//! Orders that name seats.

use serde_json::{Value, json};

use super::{ORDERS, at};
use crate::client::Client;
use crate::harness::{EVENING, Event, Org, Set, Shop, text};

/// An event with two rows of eight seats.
async fn hall(shop: &Shop, more: Value) -> (Org, Event, Set) {
    let org = shop.organizer("org@example.org").await;
    org.patch(&org.path(), json!({"shop": {"open": true, "payments": ["DOOR"]}})).await.ok();
    let mut event = json!({"title": "Concert", "lifetime": EVENING, "status": "public"});
    event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let event = org.event_with(event).await;
    let seats = json!({"1": [[1, 8]], "2": [[1, 4], [6, 9]]});
    let set = event.set_with(json!({"name": "Hall", "sector": "A", "price": "10.00", "seats": seats})).await;
    (org, event, set)
}

fn wanted(event: &Event, set: &Set, rows: &Value) -> Value {
    json!({"event": event.id, "seats": {set.id.clone(): rows}, "all_or_nothing": true})
}

/// The seats of an order: `"1-4 1-5"`.
fn seats(order: &Value) -> String {
    let tickets = order["data"]["tickets"].as_array().unwrap();
    let seat = |ticket: &Value| format!("{}-{}", text(&ticket["seat"]["row"]), text(&ticket["seat"]["number"]));
    tickets.iter().map(seat).collect::<Vec<_>>().join(" ")
}

async fn refused(client: &Client, body: Value, code: &str) -> Vec<(String, String)> {
    let details = client.post(ORDERS, body).await.refused(400, code);
    let detail = |detail: &Value| (text(&detail["field"]), text(&detail["problem"]));
    details.as_array().unwrap().iter().map(detail).collect()
}

#[tokio::test]
async fn an_order_holds_the_seats_that_it_names() {
    let shop = Shop::open().await;
    let (org, event, set) = hall(&shop, json!({})).await;
    let visitor = shop.visitor(&org);
    let body = wanted(&event, &set, &json!({"1": [[4, 5]], "2": [[4, 4], [6, 6]]}));
    let quoted = visitor.post("/v2/services/orders/quote", body.clone()).await.ok();
    assert_eq!(seats(&quoted), "1-4 1-5 2-4 2-6");
    let made = visitor.post(ORDERS, body.clone()).await.ok();
    assert_eq!((seats(&made).as_str(), &made["details"]), ("1-4 1-5 2-4 2-6", &json!([])));
    let buyer = shop.buyer(&made);
    let fewer = buyer.patch(&at(&made), json!({"seats": {set.id.clone(): {"1": [[4, 6]]}}})).await.ok();
    assert_eq!(seats(&fewer), "1-4 1-5 1-6");
    assert_eq!(refused(&visitor, wanted(&event, &set, &json!({"1": [[6, 7]]})), "order_empty").await, []);
    let some = org.post(ORDERS, json!({"event": event.id, "seats": {set.id.clone(): {"1": [[6, 7]]}}})).await.ok();
    assert_eq!((seats(&some).as_str(), &some["details"][0]["reason"]), ("1-7", &json!("reserved")));
}

#[tokio::test]
async fn seats_that_are_not_there_are_named() {
    let shop = Shop::open().await;
    let (org, event, set) = hall(&shop, json!({})).await;
    let visitor = shop.visitor(&org);
    let standing = event.set(3, "5.00").await;
    let field = |row: &str| format!("$.seats.{}.{row}", set.id);
    let problems =
        refused(&visitor, wanted(&event, &set, &json!({"2": [[4, 6]], "9": [[1, 1]]})), "invalid_fields").await;
    let expected =
        [("2", "names seat 5, which the set does not have"), ("9", "names seat 1, which the set does not have")];
    assert_eq!(problems, expected.map(|(row, problem)| (field(row), problem.to_owned())));
    assert_eq!(refused(&visitor, wanted(&event, &standing, &json!({"1": [[1, 1]]})), "invalid_fields").await.len(), 1);
    assert_eq!(refused(&visitor, wanted(&event, &set, &json!({"1": [[2, 1]]})), "invalid_fields").await.len(), 1);
    assert_eq!(refused(&visitor, wanted(&event, &set, &json!({"1": [[1, 9999]]})), "tickets_limit").await, []);
    let mut both = wanted(&event, &set, &json!({"1": [[1, 1]]}));
    both["random"] = json!({set.id.clone(): 1});
    let problem = "must not be given together with tickets or random".to_owned();
    assert_eq!(refused(&visitor, both, "invalid_fields").await, [("$.seats".to_owned(), problem)]);
    let unknown = json!({"event": event.id, "seats": {event.id.clone(): {"1": [[1, 1]]}}});
    assert_eq!(refused(&visitor, unknown, "set_not_found").await, []);
}

#[tokio::test]
async fn an_event_that_forbids_single_seats_names_those_that_an_order_would_leave() {
    let shop = Shop::open().await;
    let (org, event, set) = hall(&shop, json!({"single_seats": "forbid"})).await;
    let visitor = shop.visitor(&org);
    let body = |from: u16, to: u16| wanted(&event, &set, &json!({"1": [[from, to]]}));
    let field = format!("$.seats.{}.1", set.id);
    let problem = "would leave seat 1 without a free neighbour".to_owned();
    assert_eq!(refused(&visitor, body(2, 3), "single_seat_left").await, [(field, problem)]);
    let made = visitor.post(ORDERS, body(1, 2)).await.ok();
    // What an order gives back is free: it may move by one, and not by two.
    let buyer = shop.buyer(&made);
    let moved = |from: u16, to: u16| json!({"seats": {set.id.clone(): {"1": [[from, to]]}}});
    buyer.patch(&at(&made), moved(2, 3)).await.refused(400, "single_seat_left");
    assert_eq!(seats(&buyer.patch(&at(&made), moved(3, 4)).await.ok()), "1-3 1-4");
    // The organizer decides for itself.
    assert_eq!(seats(&org.post(ORDERS, body(6, 7)).await.ok()), "1-6 1-7");
    // Seats without names come as before.
    visitor.post(ORDERS, json!({"event": event.id, "random": {set.id.clone(): 3}})).await.ok();
    org.patch(&event.path, json!({"single_seats": "warn"})).await.ok();
    visitor.post(ORDERS, wanted(&event, &set, &json!({"1": [[1, 1]]}))).await.ok();
    org.patch(&event.path, json!({"single_seats": "never"})).await.refused(400, "invalid_fields");
    assert_eq!(org.patch(&event.path, json!({"single_seats": null})).await.ok()["single_seats"], "off");
}
