//! What was asked with the keys of a partner.

use serde_json::{Value, json};

use crate::access::{Row, row};
use crate::harness::{NOTHING, Org, Shop, text};

#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    row("GET /v2/resources/partners/{partner}/api_keys/{key}/requests", "", 401, [404, 404], [200, 200], 200),
];

fn path(org: &Org, key: &str) -> String {
    format!("/v2/resources/{}/api_keys/{key}/requests", org.path())
}

/// Method, path and status of each.
fn seen(list: &Value) -> Vec<String> {
    let all = list["data"].as_array().unwrap().iter();
    all.map(|one| format!("{} {} {}", one["method"].as_str().unwrap(), one["path"].as_str().unwrap(), one["status"]))
        .collect()
}

#[tokio::test]
async fn requests_of_a_key_are_listed_without_what_their_queries_say() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let keys = format!("{}/api_keys", org.path());
    let made = org.post(&keys, json!({"name": "Till"})).await.created();
    let till = shop.anonymous().with_key(&text(&made["key"]));
    let list = path(&org, &text(&made["id"]));
    assert_eq!(org.get(&list).await.ok()["data"], json!([]));
    till.get("orders?limit=3&customer=ann@example.org").await.ok();
    shop.pass_ms(2_000);
    till.get(&format!("events/{NOTHING}")).await.refused(404, "not_found");
    till.post("events", json!({"title": 1})).await.refused(400, "invalid_fields");
    till.get("nothing/at/all").await.refused(404, "no_such_path");
    let listed = org.get(&list).await.ok();
    let expected = [
        "GET /v1/resources/nothing/at/all 404".to_owned(),
        "POST /v1/resources/events 400".to_owned(),
        format!("GET /v1/resources/events/{NOTHING} 404"),
        "GET /v1/resources/orders 200".to_owned(),
    ];
    assert_eq!(seen(&listed), expected);
    assert!(!listed.to_string().contains("ann@example.org"));
    assert_eq!(listed["data"][3]["at"], "2026-01-01 00:00:00");
    assert_eq!(listed["data"][2]["at"], "2026-01-01 00:00:02");
    let page = org.get(&format!("{list}?status=4xx&page=2&page_size=2")).await.ok();
    assert_eq!((seen(&page), &page["total_count"]), (vec![expected[2].clone()], &json!(3)));
    assert_eq!(seen(&org.get(&format!("{list}?status=2xx,5xx")).await.ok()), expected[3..]);
    org.get(&format!("{list}?status=200")).await.refused(400, "invalid_fields");
    let own = org.get(&path(&org, &org.key)).await.ok();
    assert!(seen(&own).contains(&format!("POST /v1/resources/{keys} 201")), "{own}");
    let other = shop.organizer("other@example.org").await;
    other.get(&list).await.refused(404, "not_found");
    other.get(&path(&other, &text(&made["id"]))).await.refused(404, "not_found");
    org.get(&path(&org, NOTHING)).await.refused(404, "not_found");
}

#[tokio::test]
async fn a_removed_key_still_says_what_was_asked_with_it_for_a_day() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let keys = format!("{}/api_keys", org.path());
    let made = org.post(&keys, json!({"name": "Lost"})).await.created();
    let id = text(&made["id"]);
    let program = shop.anonymous().with_key(&text(&made["key"]));
    program.get("orders").await.ok();
    org.delete(&format!("{keys}/{id}")).await.ok();
    program.get("orders").await.refused(401, "credential_invalid");
    let list = path(&org, &id);
    assert_eq!(seen(&org.get(&list).await.ok()), ["GET /v1/resources/orders 200"], "a dead key is nobody's");
    shop.pass_ms(24 * 60 * 60 * 1000 + 1);
    assert_eq!(org.get(&list).await.ok()["total_count"], 0);
}
