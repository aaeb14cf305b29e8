//! `/v1/resources/partners/{partner}/api_keys`.

use serde_json::json;

use crate::access::{Row, row};
use crate::client::{ids, shape};
use crate::harness::{NOTHING, Org, Shop, text};

/// What each kind of caller gets.
#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    row("GET partners/{partner}/api_keys", "", 401, [404, 404], [200, 200], 200),
    row("POST partners/{partner}/api_keys", r#"{"name": "X"}"#, 401, [404, 404], [201, 201], 201),
    row("GET partners/{partner}/api_keys/{key}", "", 401, [404, 404], [200, 200], 200),
    row("PATCH partners/{partner}/api_keys/{key}", "{}", 401, [404, 404], [200, 200], 200),
    row("DELETE partners/{partner}/api_keys/{key}", "", 401, [404, 404], [200, 200], 200),
];

fn path(org: &Org) -> String {
    format!("{}/api_keys", org.path())
}

#[tokio::test]
async fn a_new_key_works_at_once_and_can_be_read_back() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let made = org.post(&path(&org), json!({"name": "Box office"})).await.created();
    insta::assert_snapshot!(shape(&made), @r#"
    {
      "created_at": "2026-01-01T00:00:00.000000+00:00",
      "id": "[id]",
      "key": "[key]",
      "name": "Box office",
      "partner": "[id]",
      "removed": false,
      "scopes": []
    }
    "#);
    let again = org.get(&format!("{}/{}", path(&org), text(&made["id"]))).await.ok();
    assert_eq!(again, made);
    let answer = shop.anonymous().with_key(&text(&made["key"])).get("orders").await;
    assert_eq!(answer.header("x-partner"), org.id);
    assert_eq!(answer.header("cache-control"), "private, max-age=0, no-cache, no-store");
    answer.ok();
}

#[tokio::test]
async fn a_key_keeps_the_scopes_that_it_was_made_with() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let given = json!({"name": "CRM", "scopes": ["customers", "customers"]});
    let made = org.post(&path(&org), given).await.created();
    assert_eq!(made["scopes"], json!(["customers"]));
    let key = format!("{}/{}", path(&org), text(&made["id"]));
    let renamed = org.patch(&key, json!({"name": "Sums", "scopes": []})).await.ok();
    assert_eq!((&renamed["name"], &renamed["scopes"]), (&json!("Sums"), &json!(["customers"])));
    assert_eq!(org.get(&key).await.ok(), renamed);
    assert_eq!(org.get(&path(&org)).await.ok()[0], renamed);
    for none in [json!([]), json!(null)] {
        let made = org.post(&path(&org), json!({"name": "Till", "scopes": none})).await.created();
        assert_eq!(made["scopes"], json!([]), "{none}");
    }
}

#[tokio::test]
async fn a_key_is_not_made_with_scopes_that_nobody_knows() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    for (scopes, field, problem) in [
        (json!(["customers", "everything"]), "$.scopes[1]", "must be one of customers"),
        (json!(["Customers"]), "$.scopes[0]", "must be one of customers"),
        (json!("customers"), "$.scopes", "must be a list"),
    ] {
        let details =
            org.post(&path(&org), json!({"name": "X", "scopes": scopes})).await.refused(400, "invalid_fields");
        assert_eq!(details, json!([{"field": field, "problem": problem}]), "{scopes}");
    }
    assert_eq!(ids(&org.get(&path(&org)).await.ok()), [org.key.as_str()], "none was made");
}

#[tokio::test]
async fn keys_are_listed_newest_first_without_removed_ones() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    shop.pass_ms(1_000);
    let second = text(&org.post(&path(&org), json!({"name": "Second"})).await.created()["id"]);
    let list = org.get(&path(&org)).await;
    assert_eq!(list.total(), 2);
    assert_eq!(ids(&list.ok()), [second.clone(), org.key.clone()]);
    let by_ids = format!("{}?ids={second},{NOTHING}", path(&org));
    assert_eq!(ids(&org.get(&by_ids).await.ok()), [second.as_str()]);
    org.delete(&format!("{}/{second}", path(&org))).await.ok();
    assert_eq!(ids(&org.get(&path(&org)).await.ok()), [org.key.as_str()]);
    let with_removed = org.get(&format!("{}?removed=true", path(&org))).await.ok();
    assert_eq!((ids(&with_removed).len(), &with_removed[0]["removed"]), (2, &json!(true)));
}

#[tokio::test]
async fn a_key_is_renamed() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let key = format!("{}/{}", path(&org), org.key);
    let renamed = org.patch(&key, json!({"name": "Door", "key": "0", "removed": true})).await.ok();
    assert_eq!((&renamed["name"], &renamed["removed"]), (&json!("Door"), &json!(false)));
    assert_eq!(org.patch(&key, json!({})).await.ok(), renamed);
    org.patch(&key, json!({"name": null})).await.refused(400, "invalid_fields");
}

#[tokio::test]
async fn a_removed_key_is_dead_at_once() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let made = org.post(&path(&org), json!({"name": "Lost"})).await.created();
    let lost = shop.anonymous().with_key(&text(&made["key"]));
    lost.get("orders").await.ok();
    let key = format!("{}/{}", path(&org), text(&made["id"]));
    assert_eq!(org.delete(&key).await.ok(), json!({}));
    lost.get("orders").await.refused(401, "credential_invalid");
    lost.get("events").await.refused(401, "credential_invalid");
    assert_eq!(org.get(&key).await.ok()["removed"], true);
    assert_eq!(org.delete(&key).await.ok(), json!({}));
}

#[tokio::test]
async fn a_key_may_remove_itself() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    org.delete(&format!("{}/{}", path(&org), org.key)).await.ok();
    org.get("orders").await.refused(401, "credential_invalid");
}

#[tokio::test]
async fn nobody_learns_of_keys_of_others() {
    let shop = Shop::open().await;
    let (org, other) = (shop.organizer("org@example.org").await, shop.organizer("other@example.org").await);
    other.get(&path(&org)).await.refused(404, "not_found");
    other.get(&format!("{}/{}", path(&other), org.key)).await.refused(404, "not_found");
    other.delete(&format!("{}/{}", path(&other), org.key)).await.refused(404, "not_found");
    assert_eq!(ids(&org.get(&path(&org)).await.ok()), [org.key.as_str()]);
}
