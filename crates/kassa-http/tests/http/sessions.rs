//! `/v1/resources/users/{user}/sessions`: where one is logged in.

use serde_json::{Value, json};

use crate::access::{Row, row};
use crate::harness::{DAY_MS, PASSWORD, Shop, text};

/// What each kind of caller gets. What a user does to its own sessions has tests of its own.
#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    row("GET users/{customer}/sessions", "", 401, [403, 403], [403, 403], 403),
    row("DELETE users/{customer}/sessions", "", 401, [403, 403], [403, 403], 403),
    row("DELETE users/{customer}/sessions/{me}", "", 401, [403, 403], [403, 403], 403),
];

fn ids(sessions: &Value) -> Vec<String> {
    sessions.as_array().unwrap().iter().map(|session| text(&session["id"])).collect()
}

#[tokio::test]
async fn a_user_sees_where_it_is_logged_in() {
    let shop = Shop::open().await;
    let first = shop.user("ann@example.org").await;
    shop.user("bob@example.org").await;
    shop.pass_ms(DAY_MS);
    let second = shop.log_in("ann@example.org", PASSWORD).await;
    let path = format!("{}/sessions", first.path());
    let seen = second.get(&path).await;
    assert_eq!(seen.total(), 2);
    let latest = seen.ok()[0].clone();
    let id = text(&latest["id"]);
    assert!(id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()), "{id}");
    let expected = json!({
        "id": id,
        "created_at": "2026-01-02T00:00:00.000000+00:00",
        "used_at": "2026-01-02T00:00:00.000000+00:00",
        "expires_at": "2026-02-01T00:00:00.000000+00:00",
        "current": true,
    });
    assert_eq!(latest, expected);
    let current: Vec<Value> =
        first.get(&path).await.ok().as_array().unwrap().iter().map(|session| session["current"].clone()).collect();
    assert_eq!(current, [false, true]);
    let listed = first.get(&path).await.ok().to_string();
    assert!(!listed.contains(&first.token) && !listed.contains(&second.token));
    assert_eq!(first.get(&format!("{path}?fields-schema=current")).await.ok()[1], json!({"current": true}));
    shop.pass_ms(29 * DAY_MS);
    assert_eq!(ids(&second.get(&path).await.ok()).len(), 1, "what has ended is not there");
}

#[tokio::test]
async fn a_user_ends_one_of_its_sessions() {
    let shop = Shop::open().await;
    let first = shop.user("ann@example.org").await;
    shop.pass_ms(1);
    let second = shop.log_in("ann@example.org", PASSWORD).await;
    let bob = shop.user("bob@example.org").await;
    let path = format!("{}/sessions", first.path());
    let listed = second.get(&path).await.ok();
    let of_first = &ids(&listed)[1];
    for nothing in ["0".repeat(32), "x".to_owned(), of_first.to_uppercase()] {
        second.delete(&format!("{path}/{nothing}")).await.refused(404, "not_found");
    }
    bob.delete(&format!("{}/sessions/{of_first}", bob.path())).await.refused(404, "not_found");
    bob.delete(&format!("{path}/{of_first}")).await.refused(403, "forbidden");
    let ends = second.with("idempotency-key", "\"end\"");
    assert_eq!(ends.delete(&format!("{path}/{of_first}")).await.ok(), json!({}));
    assert_eq!(ends.delete(&format!("{path}/{of_first}")).await.ok(), json!({}), "the same request again");
    first.get("events").await.refused(401, "credential_invalid");
    assert_eq!(ids(&second.get(&path).await.ok()).len(), 1);
}

#[tokio::test]
async fn a_user_ends_all_its_sessions() {
    let shop = Shop::open().await;
    let first = shop.user("ann@example.org").await;
    let second = shop.log_in("ann@example.org", PASSWORD).await;
    let bob = shop.user("bob@example.org").await;
    let path = format!("{}/sessions", first.path());
    bob.delete(&path).await.refused(403, "forbidden");
    let answer = second.delete(&path).await;
    assert!(answer.header("set-cookie").starts_with("auth_tkt=; "));
    assert_eq!(answer.ok(), json!({}));
    for ended in [first, second] {
        ended.get("events").await.refused(401, "credential_invalid");
    }
    bob.get("events").await.ok();
    let again = shop.log_in("ann@example.org", PASSWORD).await;
    assert_eq!(ids(&again.get(&path).await.ok()).len(), 1);
}
