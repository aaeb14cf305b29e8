//! The memory that answers take.

use axum::body::Body;
use axum::http::Request;
use axum::response::Response;
use kassa_engine::metrics::Limit;
use kassa_http::HttpConfig;
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::harness::{Event, Org, Shop, text};

const MIB: usize = 1024 * 1024;
/// As long as a description may be.
const DESC_CHARS: usize = 10_000;
/// Shows each set with its event, and that with all of its sets.
const QUADRATIC: &str = "fields-schema=event%7Bsets%7Bdesc,description%7D%7D";

/// A public event whose sets have descriptions as long as can be.
async fn fat_event(org: &Org, sets: usize) -> Event {
    let event = org.event("fat").await;
    for number in 0..sets {
        event.set_with(json!({"name": format!("{number}"), "desc": "d".repeat(DESC_CHARS)})).await;
    }
    event
}

async fn shop_with_memory(answer_memory_bytes: usize, answer_bytes_max: usize) -> Shop {
    Shop::with(HttpConfig { answer_memory_bytes, answer_bytes_max, ..HttpConfig::default() }).await
}

/// An answer of which its client reads nothing.
async fn unread(shop: &Shop, org: Option<&Org>, method: &str, path: &str) -> Response {
    let (mut request, body) =
        (Request::builder().method(method).uri(format!("/v1/resources/{path}")), Body::from("{}"));
    if let Some(org) = org {
        request = request.header("authorization", format!("key {}", org.token));
    }
    let body = if method == "GET" { Body::empty() } else { body };
    shop.service.clone().oneshot(request.body(body).unwrap()).await.unwrap()
}

/// As many of them as there is memory for.
async fn unread_until_refused(shop: &Shop, org: Option<&Org>, path: &str) -> Vec<Response> {
    let mut held = Vec::new();
    loop {
        let answer = unread(shop, org, "GET", path).await;
        if answer.status() != 200 {
            assert_eq!((answer.status().as_u16(), &answer.headers()["retry-after"]), (503, &"1".parse().unwrap()));
            return held;
        }
        held.push(answer);
    }
}

#[tokio::test]
async fn a_schema_that_multiplies_an_answer_is_refused() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = fat_event(&org, 60).await;
    let path = format!("{}/sets?{QUADRATIC}", event.path);
    let attacks = (0..32).map(|_| async { shop.anonymous().get(&path).await });
    for answer in futures_util::future::join_all(attacks).await {
        // Together they are too much for the budget, too.
        match answer.status {
            503 => answer.refused(503, "busy"),
            _ => answer.refused(400, "bad_fields_schema"),
        };
    }
    shop.anonymous().get(&path).await.refused(400, "bad_fields_schema");
    assert!(shop.engine.limit_hits().get(Limit::FieldsSchema) > 0);
    // What it asks for is fine, as long as it is not too much.
    let shown = shop.anonymous().get(&format!("{path}&limit=5")).await.ok();
    assert_eq!(shown[4]["event"]["sets"][59]["desc"].as_str().map(str::len), Some(DESC_CHARS));
    // What was changed is told all the same, with ids in place of what they name.
    let changed =
        org.patch(&format!("{}?fields-schema=id,sets%7B{}%7D", event.path, &QUADRATIC[14..]), json!({})).await.ok();
    assert_eq!((&changed["id"], &changed["sets"][0]), (&json!(event.id), &json!({"event": event.id})));
}

#[tokio::test]
async fn answers_share_a_budget_and_small_ones_need_none() {
    let shop = shop_with_memory(16 * MIB, 96 * MIB).await;
    let org = shop.organizer("org@example.org").await;
    let (fat, small) = (fat_event(&org, 100).await, org.event("small").await);
    let set = small.set(5, "1.00").await;
    // Its rows take a megabyte, and their JSON two.
    let held = unread_until_refused(&shop, None, &fat.path).await;
    assert!((6..9).contains(&held.len()), "{}", held.len());
    for path in [fat.path.clone(), "events".to_owned(), format!("{}?fields-schema=sets%7Bdesc%7D", fat.path)] {
        let answer = shop.anonymous().get(&path).await;
        assert_eq!(answer.header("retry-after"), "1", "{path}");
        answer.refused(503, "busy");
    }
    assert_eq!(shop.engine.limit_hits().get(Limit::AnswerMemory), 4);
    shop.anonymous().get(&small.path).await.ok();
    org.order(&small, set.random(2)).await;
    shop.anonymous().get("events?limit=1").await.ok();
    // What was changed is never answered by an error.
    assert_eq!(org.patch(&fat.path, json!({"title": "changed"})).await.ok()["title"]["text"], "changed");
    drop(held);
    // What is taken is given back.
    for _ in 0..20 {
        shop.anonymous().get(&format!("{}/sets?limit=10", fat.path)).await.ok();
    }
}

#[tokio::test]
async fn who_leaves_its_answers_unread_takes_no_more_than_its_share() {
    let shop = shop_with_memory(32 * MIB, 96 * MIB).await;
    let (greedy, other) = (shop.organizer("greedy@example.org").await, shop.organizer("other@example.org").await);
    let (fat, small) = (fat_event(&greedy, 110).await, greedy.event("small").await);
    let keyed = greedy.with("idempotency-key", "of-a-long-answer");
    keyed.patch(&fat.path, json!({"title": "first"})).await.ok();
    let mut held = unread_until_refused(&shop, Some(&greedy), &fat.path).await;
    assert!((3..5).contains(&held.len()), "{}", held.len());
    for _ in 0..3 {
        other.get(&fat.path).await.ok();
        other.get("events").await.ok();
    }
    greedy.get(&small.path).await.ok();
    // What was answered before can be asked for later. What could not be told is not done, however many ask at once.
    keyed.patch(&fat.path, json!({"title": "first"})).await.refused(503, "busy");
    let writes = (0..32).map(|_| unread(&shop, Some(&greedy), "PATCH", &fat.path));
    let told = futures_util::future::join_all(writes).await.into_iter().filter(|answer| answer.status() == 200);
    held.extend(told);
    assert!(held.len() < 5, "{}", held.len());
    greedy.patch(&fat.path, json!({"title": "second"})).await.refused(503, "busy");
    assert_eq!(other.get(&fat.path).await.ok()["title"]["text"], "first");
    assert_eq!(greedy.patch(&small.path, json!({"title": "second"})).await.ok()["title"]["text"], "second");
    let own = other.event("own").await;
    other.patch(&own.path, json!({"title": "second"})).await.ok();
    drop(held);
    assert_eq!(greedy.patch(&small.path, json!({"title": "third"})).await.ok()["title"]["text"], "third");
    keyed.patch(&fat.path, json!({"title": "first"})).await.ok();
}

#[tokio::test]
async fn what_a_list_keeps_for_later_pages_counts_until_it_is_sent() {
    let shop = shop_with_memory(64 * MIB, 96 * MIB).await;
    let org = shop.organizer("org@example.org").await;
    let event = fat_event(&org, 250).await;
    event.set(9_000, "1.00").await;
    shop.run_jobs().await;
    // Its rows take two and a half megabytes, a quarter of one free, and what is reserved for a list three: of sixteen
    // there are three of these. Without its rows there would be five.
    let held = unread_until_refused(&shop, Some(&org), &format!("{}/tickets", event.path)).await;
    assert_eq!(held.len(), 3);
    drop(held);
    while unread(&shop, Some(&org), "GET", &format!("{}/tickets", event.path)).await.status() != 200 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn the_map_of_a_drawing_counts_until_it_is_sent() {
    let shop = shop_with_memory(16 * MIB, 96 * MIB).await;
    let org = shop.organizer("org@example.org").await;
    let venue = text(&org.post("venues", json!({"name": "Opera"})).await.created()["id"]);
    let rows: Vec<Value> = (0..10_000).map(|at| json!({"row": at, "from": 1, "to": 1})).collect();
    let map = json!({"name": "Great hall", "sectors": [{"name": "A", "rows": rows}, {"name": "B", "rows": rows}]});
    let map = org.post(&format!("venues/{venue}/maps"), map).await.created();
    let path = format!("venues/{venue}/maps/{}.svg", text(&map["id"]));
    let held = unread_until_refused(&shop, Some(&org), &path).await;
    assert!((1..4).contains(&held.len()), "by their number they would be four: {}", held.len());
    assert!(shop.engine.limit_hits().get(Limit::AnswerMemory) > 0);
    assert_eq!(shop.engine.limit_hits().get(Limit::Drawings), 0);
}

#[tokio::test]
async fn one_answer_has_a_limit_of_its_own() {
    let shop = shop_with_memory(64 * MIB, MIB).await;
    let org = shop.organizer("org@example.org").await;
    let event = fat_event(&org, 60).await;
    shop.anonymous().get(&event.path).await.refused(400, "answer_too_large");
    let listed = shop.anonymous().get(&format!("{}/sets", event.path)).await;
    assert_eq!((listed.total(), listed.ok().as_array().map(Vec::len)), (60, Some(60)), "a list is streamed");
    shop.anonymous().get(&format!("{}/sets?limit=5", event.path)).await.ok();
}

#[tokio::test]
async fn a_list_of_fat_events_is_streamed_in_groups() {
    // All of it is eight megabytes.
    let shop = shop_with_memory(64 * MIB, 4 * MIB).await;
    let org = shop.organizer("org@example.org").await;
    let mut events = Vec::new();
    for _ in 0..8 {
        events.push(fat_event(&org, 50).await.id.clone());
    }
    events.reverse();
    for path in ["/v1/resources/events", "/v1/services/simple/events"] {
        let answer = org.get(path).await;
        assert_eq!((answer.total(), answer.header("content-length")), (8, ""), "{path}");
        let listed = answer.ok();
        let ids: Vec<&Value> = listed.as_array().unwrap().iter().map(|event| &event["id"]).collect();
        assert_eq!(ids, events.iter().collect::<Vec<_>>(), "{path}");
        assert!(listed.as_array().unwrap().iter().all(|event| event["sets"].as_array().unwrap().len() == 50));
    }
    assert_eq!(shop.engine.limit_hits().get(Limit::AnswerMemory), 0);
    // A short one has a length.
    let short = org.event("short").await;
    let answer = org.get(&format!("events?ids={}", short.id)).await;
    assert_eq!(answer.header("content-length"), answer.bytes.len().to_string());
}
