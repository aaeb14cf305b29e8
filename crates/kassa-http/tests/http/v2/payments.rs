//! Payments of orders.

use kassa_engine::metrics::MetricsText;
use serde_json::{Value, json};

use super::{ORDERS, at, given};
use crate::access::{Row, row};
use crate::client::Client;
use crate::harness::{DAY_MS, Event, MINUTE_MS, Org, Set, Shop, text};

/// What each kind of caller gets.
#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    row("GET /v2/resources/orders/{payable}/payments", "", 401, [404, 404], [200, 200], 200),
    row("POST /v2/resources/orders/{payable}/payments", r#"{"provider": "DOOR"}"#, 401, [404, 404], [200, 200], 200),
    row("GET /v2/resources/orders/{payable}/payments/{payment}", "", 401, [404, 404], [200, 200], 200),
    row("POST /v2/resources/orders/{payable}/payments/{payment}/received", r#"{"amount": "0.10"}"#, 401, [404, 404], [200, 200], 200),
    row("POST /v2/resources/orders/{overpaid}/payments/{surplus}/returned", r#"{"amount": "0.10"}"#, 401, [404, 404], [200, 200], 200),
    row("POST /v2/resources/orders/{tried}/payments/{test}/test", r#"{"outcome": "never"}"#, 401, [404, 404], [200, 200], 200),
    row("GET /v2/resources/returning_payments", "", 401, [200, 200], [200, 200], 200),
];

const IBAN: &str = "DE02 1203 0000 0000 2020 51";

/// A concert that sells in its organizer's shop.
pub(super) async fn shop_of(shop: &Shop) -> (Org, Event, Set) {
    let (org, event, set) = given(shop).await;
    let account = json!({"iban": IBAN, "holder": "Club Nord", "days": 7});
    let said = json!({"open": true, "payments": ["TEST", "TRANSFER", "DOOR"], "transfer": account});
    org.patch(&org.path(), json!({"shop": said})).await.ok();
    (org, event, set)
}

/// An order of so many tickets by somebody who has said its e-mail, and that somebody.
pub(super) async fn order_of(shop: &Shop, org: &Org, event: &Event, set: &Set, tickets: u32) -> (Value, Client) {
    let body = json!({
        "event": event.id, "random": {&set.id: tickets}, "settings": {"customer": {"email": "ann@example.org"}},
    });
    let made = shop.visitor(org).post(ORDERS, body).await.ok();
    let buyer = shop.buyer(&made);
    (made, buyer)
}

pub(super) async fn begin(client: &Client, order: &Value, provider: &str) -> Value {
    client.post(&payments(order), json!({"provider": provider})).await.ok()["data"].clone()
}

fn payments(order: &Value) -> String {
    format!("{}/payments", at(order))
}

fn payment_at(order: &Value, payment: &Value) -> String {
    format!("{}/{}", payments(order), text(&payment["id"]))
}

pub(super) async fn seen(client: &Client, order: &Value, payment: &Value) -> Value {
    client.get(&payment_at(order, payment)).await.ok()["data"].clone()
}

async fn end_test(client: &Client, order: &Value, payment: &Value, outcome: &str) -> Value {
    let path = format!("{}/test", payment_at(order, payment));
    client.post(&path, json!({"outcome": outcome})).await.ok()["data"].clone()
}

pub(super) async fn status(client: &Client, order: &Value) -> String {
    text(&client.get(&at(order)).await.ok()["data"]["status"])
}

/// Where the money is: the status, and what has come, was used and went back.
pub(super) fn money(payment: &Value) -> [&str; 4] {
    ["status", "received", "used", "returned"].map(|field| payment[field].as_str().unwrap())
}

pub(crate) async fn a_test_pays_and_tells_how_it_ended(shop: Shop) {
    let (org, event, set) = shop_of(&shop).await;
    let (order, buyer) = order_of(&shop, &org, &event, &set, 2).await;
    let payment = begin(&buyer, &order, "TEST").await;
    assert_eq!(money(&payment), ["pending", "0.00", "0.00", "0.00"]);
    assert_eq!((&payment["amount"], &payment["due_at"]), (&json!("200.00"), &json!("2026-01-01 00:30:00")));
    let url = text(&payment["next"]["url"]);
    let token = text(&order["access"]["token"]);
    assert!(url.ends_with(&format!("/pay/test/{token}/{}", text(&payment["id"]))), "{url}");
    assert_eq!(begin(&buyer, &order, "TEST").await, payment, "a double click begins one payment");
    assert_eq!(status(&buyer, &order).await, "in_progress");
    let paid = end_test(&buyer, &order, &payment, "yes").await;
    assert_eq!((money(&paid), &paid["next"]), (["paid", "200.00", "200.00", "0.00"], &Value::Null));
    assert_eq!(end_test(&buyer, &order, &payment, "yes").await, paid);
    let done = buyer.get(&at(&order)).await.ok();
    assert_eq!(done["data"]["status"], "done");
    assert!(done["data"]["tickets"][0]["barcode"].is_string());
    buyer.post(&payments(&order), json!({"provider": "TEST"})).await.refused(400, "order_transition");

    let (refused, buyer) = order_of(&shop, &org, &event, &set, 1).await;
    let first = begin(&buyer, &refused, "TEST").await;
    let no = end_test(&buyer, &refused, &first, "no").await;
    assert_eq!((&no["status"], &no["reason"]), (&json!("failed"), &json!("declined")));
    let second = begin(&buyer, &refused, "TEST").await;
    assert_ne!(second["id"], first["id"], "it is tried again");
    end_test(&buyer, &refused, &second, "later").await;
    assert_eq!(seen(&buyer, &refused, &second).await["status"], "pending");
    shop.pass_ms(21_000);
    shop.engine.look_at_payments().await.unwrap();
    assert_eq!(seen(&buyer, &refused, &second).await["status"], "paid");
    assert_eq!(buyer.get(&payments(&refused)).await.ok()["data"].as_array().unwrap().len(), 2);
}

pub(crate) async fn a_transfer_is_found_by_its_reference_and_pays_in_parts(shop: Shop) {
    let (org, event, set) = shop_of(&shop).await;
    let (order, buyer) = order_of(&shop, &org, &event, &set, 2).await;
    let payment = begin(&buyer, &order, "TRANSFER").await;
    let number = order["data"]["number"].as_i64().unwrap();
    let reference = text(&payment["reference"]);
    assert!(reference.starts_with("RF") && reference.ends_with(&format!("{number}0")), "{reference}");
    let next = json!({
        "type": "instructions", "iban": "DE02120300000000202051", "holder": "Club Nord", "reference": reference,
        "amount": "200.00",
        "epc": format!("BCD\n002\n1\nSCT\n\nClub Nord\nDE02120300000000202051\nEUR200.00\n\n{reference}"),
    });
    assert_eq!((&payment["next"], &payment["due_at"]), (&next, &json!("2026-01-08 00:00:00")));
    assert_eq!(buyer.get(&at(&order)).await.ok()["data"]["expired_after"], "2026-01-08 00:00:00");
    let received = format!("{}/received", payment_at(&order, &payment));
    buyer.post(&received, json!({})).await.refused(403, "forbidden");
    let part = org.post(&received, json!({"amount": "50.00"})).await.ok()["data"].clone();
    assert_eq!((money(&part), &part["next"]["amount"]), (["pending", "50.00", "0.00", "0.00"], &json!("150.00")));
    let all = org.post(&received, json!({})).await.ok()["data"].clone();
    assert_eq!(money(&all), ["paid", "200.00", "200.00", "0.00"]);
    assert_eq!(status(&buyer, &order).await, "done");
    let twice = org.post(&received, json!({"amount": 200})).await.ok()["data"].clone();
    assert_eq!((money(&twice), &twice["reason"]), (["returning", "400.00", "200.00", "0.00"], &json!("surplus")));
    let returned = format!("{}/returned", payment_at(&order, &payment));
    buyer.post(&returned, json!({})).await.refused(403, "forbidden");
    org.post(&returned, json!({"amount": "200.01"})).await.refused(400, "payment_amount");
    org.post(&returned, json!({"amount": "80"})).await.ok();
    let back = org.post(&returned, json!({})).await.ok()["data"].clone();
    assert_eq!(money(&back), ["paid", "400.00", "200.00", "200.00"]);
    assert_eq!(status(&buyer, &order).await, "done", "the tickets stay");
    org.post(&returned, json!({})).await.refused(400, "payment_amount");
    let mut metrics = MetricsText::default();
    shop.engine.write_metrics(&mut metrics);
    let metrics = metrics.finish();
    for line in [
        r#"kassa_payments_total{provider="TRANSFER",step="started"} 1"#,
        r#"kassa_payments_total{provider="TRANSFER",step="returning"} 1"#,
        r#"kassa_payments_total{provider="DOOR",step="started"} 0"#,
        r#"kassa_payment_pending_seconds_count{provider="TRANSFER"} 1"#,
    ] {
        assert!(metrics.lines().any(|other| other == line), "{line} is not in {metrics}");
    }
}

pub(crate) async fn an_order_that_costs_nothing_is_paid_at_once(shop: Shop) {
    let (org, event, _) = shop_of(&shop).await;
    let set = event.set(3, "0.00").await;
    let (order, buyer) = order_of(&shop, &org, &event, &set, 2).await;
    let free = buyer.post(&payments(&order), json!({})).await.ok()["data"].clone();
    assert_eq!((&free["id"], &free["status"], &free["next"]["type"]), (&Value::Null, &json!("paid"), &json!("done")));
    assert_eq!(status(&buyer, &order).await, "done");
    assert_eq!(buyer.get(&payments(&order)).await.ok()["data"], json!([]));
}

pub(crate) async fn money_that_comes_late_buys_what_is_left_or_goes_back(shop: Shop) {
    let (org, event, set) = shop_of(&shop).await;
    let late = async |tickets| {
        let (order, buyer) = order_of(&shop, &org, &event, &set, tickets).await;
        let payment = begin(&buyer, &order, "TEST").await;
        end_test(&buyer, &order, &payment, "late").await;
        (order, buyer, payment)
    };
    let (saved, lucky_buyer, in_time) = late(2).await;
    let (lost, late_buyer, too_late) = late(7).await;
    assert_eq!(shop.expire_after_ms(30 * MINUTE_MS + 2_000).await, 2);
    shop.engine.look_at_payments().await.unwrap();
    let failed = seen(&late_buyer, &lost, &too_late).await;
    assert_eq!((&failed["status"], &failed["reason"]), (&json!("failed"), &json!("expired")));
    // Somebody else has some of their tickets by now: too many for the one, and not for the other, whichever comes first.
    let other = order_of(&shop, &org, &event, &set, 3).await;
    shop.pass_ms(MINUTE_MS);
    shop.engine.look_at_payments().await.unwrap();
    assert_eq!(money(&seen(&lucky_buyer, &saved, &in_time).await), ["paid", "200.00", "200.00", "0.00"]);
    assert_eq!(status(&lucky_buyer, &saved).await, "done");
    shop.engine.look_at_payments().await.unwrap();
    let back = seen(&late_buyer, &lost, &too_late).await;
    assert_eq!((money(&back), &back["reason"]), (["returned", "700.00", "0.00", "700.00"], &json!("tickets_gone")));
    assert_eq!(status(&late_buyer, &lost).await, "expired");
    assert_eq!(status(&other.1, &other.0).await, "executed");
}

pub(crate) async fn another_way_to_pay_takes_the_place_of_the_first(shop: Shop) {
    let (org, event, set) = shop_of(&shop).await;
    let (order, buyer) = order_of(&shop, &org, &event, &set, 1).await;
    let transfer = begin(&buyer, &order, "TRANSFER").await;
    let door = begin(&buyer, &order, "DOOR").await;
    let replaced = seen(&buyer, &order, &transfer).await;
    assert_eq!((&replaced["status"], &replaced["reason"]), (&json!("canceled"), &json!("replaced")));
    let received = |payment: &Value| format!("{}/received", payment_at(&order, payment));
    // The transfer was under way: it buys the tickets, and what comes at the door goes back.
    let paid = org.post(&received(&transfer), json!({"amount": 100})).await.ok()["data"].clone();
    assert_eq!(money(&paid), ["paid", "100.00", "100.00", "0.00"]);
    let canceled = seen(&buyer, &order, &door).await;
    assert_eq!((&canceled["status"], &canceled["reason"]), (&json!("canceled"), &json!("order_paid")));
    let double = org.post(&received(&door), json!({"amount": 100})).await.ok()["data"].clone();
    assert_eq!((money(&double), &double["reason"]), (["returning", "100.00", "0.00", "0.00"], &json!("order_paid")));
    assert_eq!(org.get(&at(&order)).await.ok()["data"]["status"], "done");
}

pub(crate) async fn money_of_returned_tickets_goes_back(shop: Shop) {
    let (org, event, set) = shop_of(&shop).await;
    let (order, buyer) = order_of(&shop, &org, &event, &set, 2).await;
    let payment = begin(&buyer, &order, "TEST").await;
    end_test(&buyer, &order, &payment, "yes").await;
    let tickets = buyer.get(&at(&order)).await.ok()["data"]["tickets"].clone();
    let ask = json!({"order": order["data"]["id"], "culprit": "org", "tickets": [tickets[0]["id"]]});
    let asked = buyer.post("/v2/resources/refund_requests", ask).await.ok();
    let request = format!("/v2/resources/refund_requests/{}", text(&asked["data"]["id"]));
    org.patch(&request, json!({"status": "approved"})).await.ok();
    buyer.get(&request).await.ok();
    buyer.get(&format!("{request}/history")).await.refused(403, "forbidden");
    let going = seen(&buyer, &order, &payment).await;
    assert_eq!((money(&going), &going["reason"]), (["returning", "200.00", "100.00", "0.00"], &json!("refund")));
    shop.engine.look_at_payments().await.unwrap();
    assert_eq!(money(&seen(&buyer, &order, &payment).await), ["paid", "200.00", "100.00", "100.00"]);
}

pub(crate) async fn money_that_is_to_go_back_is_listed_for_its_vendor_until_it_has_gone(shop: Shop) {
    const LIST: &str = "/v2/resources/returning_payments";
    let (org, event, set) = shop_of(&shop).await;
    let mut given_up = Vec::new();
    for amount in [30, 40] {
        let (order, buyer) = order_of(&shop, &org, &event, &set, 1).await;
        let payment = begin(&buyer, &order, "TRANSFER").await;
        org.post(&format!("{}/received", payment_at(&order, &payment)), json!({"amount": amount})).await.ok();
        assert_eq!(org.get(LIST).await.ok()["total_count"], given_up.len(), "what is waited for is not on the list");
        buyer.patch(&at(&order), json!({"status": "canceled"})).await.ok();
        given_up.push((order, payment));
    }
    let listed = org.get(LIST).await.ok();
    let ids: Vec<&Value> = listed["data"].as_array().unwrap().iter().map(|payment| &payment["id"]).collect();
    assert_eq!(ids, given_up.iter().map(|(_, payment)| &payment["id"]).collect::<Vec<_>>(), "the earliest first");
    let (order, payment) = &given_up[0];
    let (id, data) = (text(&order["data"]["id"]), &order["data"]);
    assert_eq!(listed["refs"]["orders"][id]["number"], data["number"]);
    assert_eq!(listed["refs"]["events"][&event.id]["id"], event.id.as_str());
    assert_eq!(org.get(&format!("{LIST}?page=2&page_size=1")).await.ok()["data"][0]["id"], given_up[1].1["id"]);
    org.get(&format!("{LIST}?page=0")).await.refused(400, "invalid_fields");
    let other = shop.organizer("other@example.org").await;
    assert_eq!(other.get(LIST).await.ok()["data"], json!([]), "whose money it is not hears nothing");
    org.post(&format!("{}/returned", payment_at(order, payment)), json!({})).await.ok();
    assert_eq!(org.get(LIST).await.ok()["data"].as_array().map(Vec::len), Some(1), "what has gone is not listed");
}

pub(crate) async fn a_vendor_that_has_the_money_already_waits_for_none(shop: Shop) {
    let (org, event, set) = shop_of(&shop).await;
    let (order, buyer) = order_of(&shop, &org, &event, &set, 1).await;
    let payment = begin(&buyer, &order, "DOOR").await;
    org.patch(&at(&order), json!({"status": "done"})).await.ok();
    let closed = seen(&buyer, &order, &payment).await;
    assert_eq!((&closed["status"], &closed["reason"]), (&json!("canceled"), &json!("order_paid")));
    let (given_up, buyer) = order_of(&shop, &org, &event, &set, 1).await;
    let payment = begin(&buyer, &given_up, "TRANSFER").await;
    org.post(&format!("{}/received", payment_at(&given_up, &payment)), json!({"amount": 30})).await.ok();
    buyer.patch(&at(&given_up), json!({"status": "canceled"})).await.ok();
    let back = seen(&buyer, &given_up, &payment).await;
    assert_eq!((money(&back), &back["reason"]), (["returning", "30.00", "0.00", "0.00"], &json!("order_canceled")));
}

pub(crate) async fn what_is_not_offered_is_refused_and_changes_nothing(shop: Shop) {
    let (org, event, set) = shop_of(&shop).await;
    let nobody = json!({"event": event.id, "random": {&set.id: 1}});
    let made = shop.visitor(&org).post(ORDERS, nobody).await.ok();
    let test = json!({"provider": "TEST"});
    shop.buyer(&made).post(&payments(&made), test.clone()).await.refused(400, "customer_email_required");
    let (order, buyer) = order_of(&shop, &org, &event, &set, 1).await;
    buyer.post(&payments(&order), json!({})).await.refused(400, "payment_not_offered");
    buyer.post(&payments(&order), json!({"provider": "CASH"})).await.refused(400, "invalid_fields");
    org.patch(&org.path(), json!({"shop": {"payments": ["TRANSFER"], "transfer": null}})).await.ok();
    for provider in ["TEST", "DOOR", "TRANSFER"] {
        buyer.post(&payments(&order), json!({"provider": provider})).await.refused(400, "payment_not_offered");
    }
    org.patch(&org.path(), json!({"shop": {"payments": ["DOOR", "TEST"]}})).await.ok();
    assert_eq!(status(&buyer, &order).await, "executed");
    shop.buyer(&made).get(&payments(&order)).await.refused(404, "not_found");
    let stranger = shop.organizer("stranger@example.org").await;
    stranger.get(&payments(&order)).await.refused(404, "not_found");
    let door = begin(&buyer, &order, "DOOR").await;
    let path = payment_at(&order, &door);
    buyer.post(&format!("{path}/test"), json!({"outcome": "yes"})).await.refused(400, "payment_not_offered");
    org.post(&format!("{path}/received"), json!({"amount": 0})).await.refused(400, "payment_amount");
    buyer.patch(&at(&order), json!({"random": {&set.id: 2}})).await.refused(400, "order_final");
    for at in 1..10 {
        begin(&buyer, &order, if at % 2 == 0 { "DOOR" } else { "TEST" }).await;
    }
    buyer.post(&payments(&order), json!({"provider": "DOOR"})).await.refused(400, "too_many");
    let test = begin(&buyer, &order, "TEST").await;
    let path = payment_at(&order, &test);
    org.post(&format!("{path}/received"), json!({"amount": 1})).await.refused(400, "payment_by_provider");
    end_test(&buyer, &order, &test, "no").await;
    buyer.post(&format!("{path}/test"), json!({"outcome": "yes"})).await.refused(400, "payment_decided");
    org.patch(&org.path(), json!({"shop": {"open": false}})).await.ok();
    buyer.post(&payments(&order), json!({"provider": "TEST"})).await.refused(403, "forbidden");
    assert_eq!(shop.expire_after_ms(DAY_MS).await, 2);
}
