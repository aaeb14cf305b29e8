//! What is left of an event, beside the tickets of version 1. Streams of it are in `availability_stream.rs`.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::access::{Row, row};
use crate::client::Client;
use crate::harness::{DAY_MS, Event, MINUTE_MS, NOTHING, Order, Org, Set, Shop, TO_END_OF_EVENING_MS, text};

#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    row("GET /v2/resources/events/{event}/availability", "", 200, [200, 200], [200, 200], 200),
    row("GET /v2/resources/events/{hidden}/availability", "", 404, [404, 404], [200, 200], 200),
    row("GET /v2/resources/events/{event}/availability/layout", "", 200, [200, 200], [200, 200], 200),
    row("GET /v2/resources/events/{hidden}/availability/layout", "", 404, [404, 404], [200, 200], 200),
    row("GET /v2/resources/events/{event}/availability/stream", "", 200, [200, 200], [200, 200], 200),
    row("GET /v2/resources/events/{hidden}/availability/stream", "", 404, [404, 404], [200, 200], 200),
];

/// Where it is told what is left of an event.
pub(crate) fn path_of(event: &Event) -> String {
    format!("/v2/resources/events/{}/availability", event.id)
}

/// What a client is told that is left of an event.
pub(crate) async fn left_for(client: &Client, event: &Event) -> Value {
    let answer = client.get(&path_of(event)).await.ok();
    assert_eq!(answer["refs"], json!({}));
    answer["data"].clone()
}

/// The bits of a set, one for each seat and the rest of the last byte.
pub(crate) fn bits(set: &Value) -> Vec<bool> {
    unpacked(&text(&set["free"]))
}

/// Base64, digit by digit.
pub(crate) fn unpacked(text: &str) -> Vec<bool> {
    const DIGITS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits =
        text.trim_end_matches('=').bytes().map(|digit| DIGITS.bytes().position(|other| other == digit).unwrap());
    let highest_first: Vec<bool> =
        digits.flat_map(|digit| (0..6).rev().map(move |bit| digit >> bit & 1 == 1)).collect();
    highest_first.chunks_exact(8).flat_map(|byte| byte.iter().rev().copied()).collect()
}

/// What is told of a set: how many tickets are left, and whether each of its seats is, by row and number.
type Told = (i64, BTreeMap<(String, u64), bool>);

/// What is told of an event, with the names of its layout.
async fn told(client: &Client, event: &Event) -> BTreeMap<String, Told> {
    let left = left_for(client, event).await;
    let layout = client.get(&format!("{}/layout", path_of(event))).await.ok()["data"].clone();
    assert_eq!((&left["layout"], &left["event"]), (&layout["layout"], &json!(event.id)));
    let (sets, layouts) = (left["sets"].as_array().unwrap(), layout["sets"].as_array().unwrap());
    assert_eq!(sets.len(), layouts.len());
    let of_set = |(set, layout): (&Value, &Value)| {
        assert_eq!((&set["id"], set.get("free").is_some()), (&layout["id"], layout.get("rows").is_some()));
        let mut names = Vec::new();
        for row in layout["rows"].as_array().into_iter().flatten() {
            for range in row["seats"].as_array().unwrap() {
                let numbers = range[0].as_u64().unwrap()..=range[1].as_u64().unwrap();
                names.extend(numbers.map(|number| (text(&row["row"]), number)));
            }
        }
        let free = set.get("free").map(|_| bits(set)).unwrap_or_default();
        assert!(free.len() < names.len() + 8 && !free[names.len()..].contains(&true), "{set}");
        (text(&set["id"]), (set["left"].as_i64().unwrap(), names.into_iter().zip(free).collect()))
    };
    sets.iter().zip(layouts).map(of_set).collect()
}

/// The same as the tickets say it.
async fn vacant(org: &Org, event: &Event) -> BTreeMap<String, Told> {
    let sets = org.get(&format!("{}/sets", event.path)).await.ok();
    let mut of_sets: BTreeMap<String, Told> =
        sets.as_array().unwrap().iter().map(|set| (text(&set["id"]), Told::default())).collect();
    for ticket in event.tickets().await {
        let is_vacant = ticket["status"] == "vacant";
        let Some((left, chairs)) = of_sets.get_mut(&text(&ticket["set"])) else { continue };
        *left += i64::from(is_vacant);
        if let Some(number) = ticket["seat"]["number"].as_u64() {
            let row = &ticket["seat"]["row"];
            let row = row.as_str().map_or_else(|| row.to_string(), str::to_owned);
            chairs.insert((row, number), is_vacant);
        }
    }
    of_sets
}

/// Everybody is told what the tickets say.
async fn agrees(shop: &Shop, org: &Org, event: &Event) {
    let said = vacant(org, event).await;
    assert_eq!(told(org, event).await, said);
    assert_eq!(told(&shop.anonymous(), event).await, said);
}

async fn pay(order: &Order) {
    order.patch(json!({"customer": {"email": "ann@example.org"}, "payment": {"system": "api/BASE"}})).await;
    order.becomes("done").await;
}

/// An event with a hall of 24 seats in rows that are not in the order of their letters, a set of 9 without seats, and
/// another one with seats.
pub(crate) async fn hall(shop: &Shop) -> (Org, Event, [Set; 3]) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let seats = json!({"10": [[1, 3]], "2": [[7, 15], [20, 21]], "A": [[1, 10]]});
    let stalls = json!({"name": "Stalls", "seats": seats, "price": "10.00", "sector": "L", "pos": 2});
    let stalls = event.set_with(stalls).await;
    let standing = event.set_with(json!({"name": "Standing", "amount": 9, "price": "5.00", "pos": 1})).await;
    let seats = json!({"name": "Box", "seats": {"1": [[1, 2]]}, "price": "50.00", "sector": "B", "pos": 3});
    let other = event.set_with(seats).await;
    (org, event, [stalls, standing, other])
}

pub(crate) async fn what_is_left_is_what_the_tickets_say(shop: Shop) {
    let (org, event, [stalls, standing, other]) = hall(&shop).await;
    agrees(&shop, &org, &event).await;
    let left = left_for(&org, &event).await;
    let shown: Vec<(&Value, &Value)> =
        left["sets"].as_array().unwrap().iter().map(|set| (&set["id"], &set["left"])).collect();
    assert_eq!(
        shown,
        [(&json!(standing.id), &json!(9)), (&json!(stalls.id), &json!(24)), (&json!(other.id), &json!(2))]
    );
    assert_eq!(left["sets"][1]["free"], "////", "24 seats, all free");
    assert_eq!(left["sets"][2]["free"], "Aw==");

    let held = org.order(&event, json!({"random": {&stalls.id: 3, &standing.id: 2}})).await;
    agrees(&shop, &org, &event).await;
    let sold = org.order(&event, json!({"random": {&stalls.id: 4, &other.id: 2}})).await;
    pay(&sold).await;
    agrees(&shop, &org, &event).await;
    let chairs = event.tickets().await;
    let free: Vec<&Value> =
        chairs.iter().filter(|ticket| ticket["status"] == "vacant" && ticket["set"] == stalls.id).collect();
    stalls.patch(json!({"blocked": [free[0]["id"], free[4]["id"]]})).await;
    agrees(&shop, &org, &event).await;
    stalls.patch(json!({"blocked": [free[4]["id"]]})).await;
    agrees(&shop, &org, &event).await;
    held.becomes("canceled").await;
    agrees(&shop, &org, &event).await;
    let named = org.order(&event, json!({"tickets": [free[5]["id"], free[9]["id"]]})).await;
    agrees(&shop, &org, &event).await;
    assert_eq!(shop.expire_after_ms(60 * MINUTE_MS).await, 1, "{}", named.id);
    agrees(&shop, &org, &event).await;
    let back = json!({"order": sold.id, "culprit": "org", "tickets_refund": [sold.tickets().await[1]]});
    let request = org.post("refund_requests", back).await.created();
    let request = format!("refund_requests/{}", text(&request["id"]));
    org.patch(&request, json!({"status": "approved"})).await.ok();
    agrees(&shop, &org, &event).await;
    let before = left_for(&org, &event).await["layout"].clone();
    stalls.patch(json!({"seats": {"10": [[1, 3]], "2": [[7, 21]], "A": [[1, 10]], "B": [[5, 5]]}})).await;
    standing.patch(json!({"amount": 12})).await;
    agrees(&shop, &org, &event).await;
    assert_ne!(left_for(&org, &event).await["layout"], before);
    org.delete(&standing.path).await.ok();
    agrees(&shop, &org, &event).await;
}

pub(crate) async fn seats_that_come_and_go_step_by_step_are_free_when_they_are_there(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let rows = |count: u16| (1..=count).map(|row| (row.to_string(), json!([[1, 200]]))).collect::<Value>();
    let set = json!({"name": "Arena", "seats": rows(55), "price": "10.00", "sector": "L"});
    let set = event.set_with(set).await;
    let free = async || {
        let left = left_for(&org, &event).await["sets"][0].clone();
        let free = bits(&left).iter().filter(|bit| **bit).count();
        assert_eq!(left["left"], json!(free), "as many seats as tickets");
        free
    };
    assert_eq!(free().await, 10_000, "the rest is made in the background");
    shop.run_jobs().await;
    assert_eq!(free().await, 11_000);
    set.patch(json!({"seats": rows(20)})).await;
    assert_eq!(free().await, 4_000, "what is taken away is gone at once");
    shop.run_jobs().await;
    assert_eq!(free().await, 4_000);
}

#[tokio::test]
async fn ten_thousand_seats_are_two_kilobytes() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    for (sector, rows, seats) in [("North", 100, 33), ("East", 100, 33), ("South", 85, 40)] {
        let rows: Value = (1..=rows).map(|row: u16| (row.to_string(), json!([[1, seats]]))).collect();
        event.set_with(json!({"name": sector, "seats": rows, "price": "10.00", "sector": sector})).await;
    }
    let set = text(&event.now().await["sets"][1]["id"]);
    org.order(&event, json!({"random": {set: 17}})).await;
    let answer = shop.anonymous().get(&path_of(&event)).await;
    assert!(answer.bytes.len() <= 2_048, "{} bytes", answer.bytes.len());
    let sets = answer.ok()["data"]["sets"].clone();
    let left: i64 = sets.as_array().unwrap().iter().map(|set| set["left"].as_i64().unwrap()).sum();
    assert_eq!(left, 10_000 - 17);
}

#[tokio::test]
async fn what_the_caller_may_not_see_is_not_there() {
    let shop = Shop::open().await;
    let (org, agent, stranger) = (
        shop.organizer("org@example.org").await,
        shop.organizer("agent@example.org").await,
        shop.organizer("stranger@example.org").await,
    );
    let event = org.event("Concert").await;
    event.set(9, "100.00").await;
    let all =
        [left_for(&org, &event).await, left_for(&shop.anonymous(), &event).await, left_for(&stranger, &event).await];
    assert!(all.iter().all(|left| *left == all[0] && left["on_sale"] == true), "{all:?}");
    let deal = org.post("deals", json!({"event": event.id, "subj": agent.id, "term": {"org": 90}})).await.ok();
    event.patch(json!({"status": "stand_by"})).await;
    assert_eq!(left_for(&agent, &event).await, left_for(&org, &event).await);
    assert_eq!(left_for(&agent, &event).await["on_sale"], false);
    for client in [&shop.anonymous(), &stranger] {
        for path in ["", "/layout", "/stream"] {
            client.get(&format!("{}{path}", path_of(&event))).await.refused(404, "not_found");
        }
    }
    org.patch(&format!("deals/{}", text(&deal["id"])), json!({"status": "terminated"})).await.ok();
    agent.get(&path_of(&event)).await.refused(404, "not_found");
    for path in ["", "/layout", "/stream"] {
        org.get(&format!("/v2/resources/events/{NOTHING}/availability{path}")).await.refused(404, "not_found");
    }
}

#[tokio::test]
async fn sets_are_on_sale_while_they_have_a_price() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let rules = json!([{"start": "2026-01-03T00:00:00Z", "finish": "2026-01-05T00:00:00Z", "price": "10.00"}]);
    event.set_with(json!({"name": "Early", "amount": 5, "rules": rules})).await;
    event.set_with(json!({"name": "Always", "amount": 5, "price": "20.00"})).await;
    let on_sale = async || {
        let left = left_for(&shop.anonymous(), &event).await;
        assert!(left["sets"].as_array().unwrap().iter().all(|set| set["left"] == 5));
        [&left["on_sale"], &left["sets"][0]["on_sale"], &left["sets"][1]["on_sale"]].map(|sold| sold.as_bool().unwrap())
    };
    assert_eq!(on_sale().await, [true, false, true]);
    shop.pass_ms(2 * DAY_MS);
    assert_eq!(on_sale().await, [true, true, true]);
    shop.pass_ms(2 * DAY_MS);
    assert_eq!(on_sale().await, [true, false, true]);
    shop.pass_ms(TO_END_OF_EVENING_MS - 4 * DAY_MS);
    assert_eq!(on_sale().await, [false, false, false]);
}

#[tokio::test]
async fn whoever_knows_what_is_left_is_told_so() {
    what_is_known_is_not_sent_again(Shop::open().await).await;
}

pub(crate) async fn what_is_known_is_not_sent_again(shop: Shop) {
    let (org, event, [stalls, ..]) = hall(&shop).await;
    let (left, layout) = (path_of(&event), format!("{}/layout", path_of(&event)));
    let tag = async |path: &str| shop.anonymous().get(path).await.header("etag").to_owned();
    let (left_tag, layout_tag) = (tag(&left).await, tag(&layout).await);
    let known = async |path: &str, tag: &str| {
        let answer = shop.anonymous().with("if-none-match", tag).get(path).await;
        assert_eq!(answer.bytes.is_empty(), answer.status == 304);
        answer.status
    };
    assert_eq!((known(&left, &left_tag).await, known(&layout, &layout_tag).await), (304, 304));
    org.order(&event, stalls.random(1)).await;
    assert_eq!((known(&left, &left_tag).await, known(&layout, &layout_tag).await), (200, 304));
    stalls.patch(json!({"name": "Parquet"})).await;
    assert_eq!(known(&layout, &layout_tag).await, 200);
}
