//! What operators of the platform see and do.

use kassa_domain::Actor;
use kassa_domain::user::SetOperator;
use serde_json::{Value, json};

use crate::access::{Row, row};
use crate::harness::{Shop, User, text};

#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    row("GET /v2/platform/state", "", 401, [403, 403], [403, 403], 403),
    row("POST /v2/platform/verification", "", 401, [403, 403], [403, 403], 403),
    row("GET /v2/platform/partners", "", 401, [403, 403], [403, 403], 403),
    row("GET /v2/platform/partners/{partner}", "", 401, [403, 403], [403, 403], 403),
    row("POST /v2/platform/partners/{partner}/suspension", r#"{"reason": "X"}"#, 401, [403, 403], [403, 403], 403),
    row("DELETE /v2/platform/partners/{partner}/suspension", "", 401, [403, 403], [403, 403], 403),
    row("GET /v2/platform/mails", "", 401, [403, 403], [403, 403], 403),
    row("GET /v2/platform/jobs", "", 401, [403, 403], [403, 403], 403),
    row("GET /v2/platform/webhooks", "", 401, [403, 403], [403, 403], 403),
];

const PARTNERS: &str = "/v2/platform/partners";

/// Somebody who runs the platform.
pub(crate) async fn operator(shop: &Shop, email: &str) -> User {
    let user = shop.user(email).await;
    let command = SetOperator { user: user.id.parse().unwrap(), is_operator: true };
    shop.engine.change_access(&Actor::Operator, command).await.unwrap();
    user
}

fn names(list: &Value) -> Vec<String> {
    list["data"].as_array().unwrap().iter().map(|one| text(&one["name"])).collect()
}

pub(crate) async fn an_operator_finds_partners_suspends_one_and_restores_it(shop: Shop) {
    let ann = shop.user("ann@example.org").await;
    let hall = ann.partner("Harbour Hall").await;
    ann.partner("Öl & Wein").await;
    let eve = operator(&shop, "eve@example.org").await;
    assert_eq!(names(&eve.get(PARTNERS).await.ok()), ["Öl & Wein", "Harbour Hall"], "newest first");
    assert_eq!(names(&eve.get(&format!("{PARTNERS}?search=HARBOUR")).await.ok()), ["Harbour Hall"]);
    assert_eq!(names(&eve.get(&format!("{PARTNERS}?search={hall}")).await.ok()), ["Harbour Hall"]);
    assert_eq!(names(&eve.get(&format!("{PARTNERS}?search=%C3%B6l")).await.ok()), ["Öl & Wein"]);
    let second = eve.get(&format!("{PARTNERS}?page=2&page_size=1")).await.ok();
    assert_eq!((names(&second), &second["total_count"]), (vec!["Harbour Hall".to_owned()], &json!(2)));
    ann.for_partner(&hall).post("events", json!({"title": "Concert"})).await.ok();
    let one = format!("{PARTNERS}/{hall}");
    let usage = eve.get(&one).await.ok()["data"]["usage"]["events"].clone();
    assert_eq!(usage, json!({"used": 1, "quota": 1_000_000}));
    let suspension = format!("{one}/suspension");
    let stopped = eve.post(&suspension, json!({"reason": "Fraud"})).await.ok();
    assert_eq!(stopped["data"]["suspension"]["reason"], "Fraud");
    ann.for_partner(&hall).post("events", json!({"title": "Concert"})).await.refused(403, "partner_inactive");
    assert_eq!(names(&eve.get(&format!("{PARTNERS}?suspended=true")).await.ok()), ["Harbour Hall"]);
    eve.post(&suspension, json!({"reason": "x".repeat(1_001)})).await.refused(400, "invalid_fields");
    assert_eq!(eve.delete(&suspension).await.ok()["data"]["suspension"], Value::Null);
    ann.for_partner(&hall).post("events", json!({"title": "Concert"})).await.ok();
    eve.get(&format!("{PARTNERS}/000000000000000000000000")).await.refused(404, "not_found");
}

pub(crate) async fn an_operator_sees_what_waits_and_whether_the_books_agree(shop: Shop) {
    let ann = shop.user("ann@example.org").await;
    let hall = ann.partner("Harbour Hall").await;
    let eve = operator(&shop, "eve@example.org").await;
    let before = eve.get("/v2/platform/mails").await.ok()["total_count"].as_u64().unwrap();
    let team = format!("/v2/resources/partners/{hall}/managers");
    ann.post(&team, json!({"email": "bob@example.org", "role": "seller"})).await.ok();
    let mails = eve.get("/v2/platform/mails").await.ok();
    assert_eq!(mails["total_count"], before + 1);
    let mail = &mails["data"][0];
    assert_eq!(
        (&mail["kind"], &mail["to"], &mail["state"]),
        (&json!("invitation"), &json!("bob@example.org"), &json!("waiting"))
    );
    for list in ["/v2/platform/jobs", "/v2/platform/webhooks"] {
        assert_eq!(eve.get(list).await.ok()["total_count"], 0);
    }
    assert_eq!(eve.get("/v2/platform/state").await.ok()["data"]["verification"]["last"], Value::Null);
    let begun = eve.post("/v2/platform/verification", json!({})).await.ok();
    assert_eq!(begun["data"]["running"], true);
    while eve.get("/v2/platform/state").await.ok()["data"]["verification"]["running"] == true {
        tokio::task::yield_now().await;
    }
    let state = eve.get("/v2/platform/state").await.ok()["data"].clone();
    assert_eq!(state["verification"]["last"]["count"], 0, "{state}");
    assert!(state["verification"]["last"]["rows"].as_u64().unwrap() > 0);
    assert_eq!((&state["can_write"], &state["waiting"]["mails"]), (&json!(true), &json!(before + 1)));
    assert!(state["writers"].as_array().unwrap().iter().any(|writer| writer["active"] == true));
}

pub(crate) async fn whoever_is_dismissed_runs_the_platform_no_longer(shop: Shop) {
    let eve = operator(&shop, "eve@example.org").await;
    eve.get(PARTNERS).await.ok();
    let command = SetOperator { user: eve.id.parse().unwrap(), is_operator: false };
    shop.engine.change_access(&Actor::Operator, command).await.unwrap();
    eve.get(PARTNERS).await.refused(403, "forbidden");
}
