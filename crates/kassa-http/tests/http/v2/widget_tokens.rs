//! Tokens by which pages of other sites name the shop of a partner.

use serde_json::{Value, json};

use super::{ORDERS, given};
use crate::access::{Row, row};
use crate::client::Client;
use crate::harness::{Event, Set, Shop, text};

const TOKENS: &str = "/v2/services/widget_tokens";

#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    row("GET /v2/services/widget_tokens", "", 401, [200, 200], [200, 200], 400),
    row("POST /v2/services/widget_tokens", "{}", 401, [200, 200], [200, 200], 400),
    row("DELETE /v2/services/widget_tokens/{widget_token}", "", 401, [404, 404], [200, 200], 400),
];

/// Whoever comes from a page that says this token.
fn visitor(shop: &Shop, token: &Value) -> Client {
    shop.anonymous().with("authorization", format!("widget {}", text(&token["data"]["token"])))
}

fn wanted(event: &Event, set: &Set) -> Value {
    let mut body = set.random(1);
    body["event"] = json!(event.id);
    body
}

pub(crate) async fn a_token_sells_until_it_is_removed(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    org.patch(&org.path(), json!({"shop": {"open": true, "payments": ["DOOR"]}})).await.ok();
    let (first, second) = (org.post(TOKENS, json!({})).await.ok(), org.post(TOKENS, json!({})).await.ok());
    assert_eq!((&first["data"]["partner"], &first["data"]["event"]), (&json!(org.id), &Value::Null));
    let snippet = text(&first["data"]["snippet"]);
    assert!(snippet.contains("/widget/v1.js\"></script>"), "{snippet}");
    assert!(snippet.contains(&format!("token=\"{}\"", text(&first["data"]["token"]))), "{snippet}");
    let listed = org.get(TOKENS).await.ok();
    assert_eq!(listed["data"], json!([second["data"], first["data"]]), "newest first");
    let page = org.get(&format!("{TOKENS}?page=2&page_size=1")).await.ok();
    assert_eq!((&page["data"], &page["total_count"]), (&json!([first["data"]]), &json!(2)));
    let made = visitor(&shop, &first).post(ORDERS, wanted(&event, &set)).await.ok();
    assert_eq!((&made["data"]["vendor"], &made["data"]["origin"]), (&json!(org.id), &json!("widget")));
    org.delete(&format!("{TOKENS}/{}", text(&first["data"]["id"]))).await.ok();
    visitor(&shop, &first).post(ORDERS, wanted(&event, &set)).await.refused(401, "credential_invalid");
    visitor(&shop, &second).post(ORDERS, wanted(&event, &set)).await.ok();
    org.delete(&format!("{TOKENS}/{}", text(&first["data"]["id"]))).await.refused(404, "not_found");
    assert_eq!(org.get(TOKENS).await.ok()["data"], json!([second["data"]]));
}

#[tokio::test]
async fn a_token_of_an_event_sells_nothing_else() {
    let shop = Shop::open().await;
    let (org, event, set) = given(&shop).await;
    org.patch(&org.path(), json!({"shop": {"open": true, "payments": ["DOOR"]}})).await.ok();
    let other = org.event("Another").await;
    let others = other.set(3, "10.00").await;
    let token = org.post(TOKENS, json!({"event": event.id})).await.ok();
    assert_eq!(token["data"]["event"], json!(event.id));
    let visitor = visitor(&shop, &token);
    visitor.post(ORDERS, wanted(&event, &set)).await.ok();
    visitor.post(ORDERS, wanted(&other, &others)).await.refused(403, "forbidden");
    visitor.post("/v2/services/orders/quote", wanted(&other, &others)).await.refused(403, "forbidden");
    org.post(TOKENS, json!({"event": "000000000000000000000000"})).await.refused(400, "event_not_found");
    org.post(TOKENS, json!({"event": 7})).await.refused(400, "invalid_fields");
}

#[tokio::test]
async fn a_partner_has_as_many_tokens_as_an_order_may_read() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    for _ in 0..50 {
        org.post(TOKENS, json!({})).await.ok();
    }
    org.post(TOKENS, json!({})).await.refused(400, "too_many");
    let newest = org.get(TOKENS).await.ok()["data"][0]["id"].clone();
    org.delete(&format!("{TOKENS}/{}", text(&newest))).await.ok();
    org.post(TOKENS, json!({})).await.ok();
    org.patch(&org.path(), json!({"shop": null})).await.ok();
    assert_eq!(org.get(TOKENS).await.ok()["total_count"], 50, "a shop that is closed keeps them");
}

#[tokio::test]
async fn a_partner_names_the_sites_that_frame_its_shop() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let origins = |origins: Value| json!({"shop": {"origins": origins}});
    let said = origins(json!(["https://Example.org/", "http://localhost:8000", "https://example.org:443"]));
    let seen = org.patch(&org.path(), said).await.ok()["shop"]["origins"].clone();
    assert_eq!(seen, json!(["https://example.org", "http://localhost:8000"]));
    for bad in ["*", "https://*.example.org", "https://example.org/shop", "https://a; script-src *"] {
        org.patch(&org.path(), origins(json!([bad]))).await.refused(400, "invalid_fields");
    }
    let many: Vec<String> = (0..21).map(|number| format!("https://s{number}.example.org")).collect();
    org.patch(&org.path(), origins(json!(many))).await.refused(400, "invalid_fields");
    assert_eq!(org.patch(&org.path(), origins(Value::Null)).await.ok()["shop"]["origins"], json!([]));
}
