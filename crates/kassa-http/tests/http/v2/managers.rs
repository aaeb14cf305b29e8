//! Who manages a partner, and as what.

use serde_json::{Value, json};

use crate::access::{Row, row};
use crate::harness::{Shop, text};

#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    row("GET /v2/resources/partners/{partner}/managers", "", 401, [404, 404], [200, 200], 200),
    row("POST /v2/resources/partners/{partner}/managers", r#"{"email": "m{n}@example.org", "role": "seller"}"#, 401, [404, 404], [200, 200], 200),
    row("PATCH /v2/resources/partners/{partner}/managers/{colleague}", r#"{"role": "reader"}"#, 401, [404, 404], [200, 200], 200),
    row("DELETE /v2/resources/partners/{partner}/managers/{colleague}", "", 401, [404, 404], [200, 200], 200),
];

pub(crate) async fn a_manager_is_asked_accepts_changes_and_goes(shop: Shop) {
    let (ann, bob) = (shop.user("ann@example.org").await, shop.user("bob@example.org").await);
    let hall = ann.partner("Hall").await;
    let team = format!("/v2/resources/partners/{hall}/managers");
    let asked = ann.post(&team, json!({"email": "bob@example.org", "role": "seller"})).await.ok()["data"].clone();
    let expected = json!({"user": bob.id, "email": "bob@example.org", "role": "seller", "status": "invited"});
    for name in ["user", "email", "role", "status"] {
        assert_eq!(asked[name], expected[name], "{asked}");
    }
    assert_eq!(bob.get(&format!("{}/invitations", bob.path())).await.ok()[0]["role"], "seller");
    bob.get(&team).await.refused(404, "not_found");
    shop.accept_invitation(&bob, &hall).await;
    let listed = bob.get(&team).await.ok();
    let seen: Vec<Value> = listed["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| json!([one["email"], one["role"], one["status"]]))
        .collect();
    assert_eq!(seen, [json!(["ann@example.org", "owner", "active"]), json!(["bob@example.org", "seller", "active"])]);
    let own = format!("{team}/{}", bob.id);
    // It sells, and that is all.
    bob.post("events", json!({"title": "Concert"})).await.refused(403, "forbidden");
    bob.patch(&own, json!({"role": "owner"})).await.refused(403, "forbidden");
    let event = ann.post("events", json!({"title": "Concert"})).await.ok();
    bob.patch(&format!("events/{}", text(&event["id"])), json!({"title": "Mine"})).await.refused(403, "forbidden");
    ann.patch(&own, json!({"role": "manager"})).await.ok();
    bob.patch(&format!("events/{}", text(&event["id"])), json!({"title": "Ours"})).await.ok();
    bob.get(&format!("partners/{hall}/api_keys")).await.refused(403, "forbidden");
    ann.patch(&format!("{team}/{}", ann.id), json!({"role": "reader"})).await.refused(400, "last_manager");
    ann.delete(&format!("{team}/{}", ann.id)).await.refused(400, "last_manager");
    for body in [json!({}), json!({"role": "boss"}), json!({"role": null}), json!({"role": 1})] {
        ann.patch(&own, body).await.refused(400, "invalid_fields");
    }
    for body in [json!({"role": "seller"}), json!({"email": "x", "role": "seller"}), json!({"email": "x@example.org"})]
    {
        ann.post(&team, body).await.refused(400, "invalid_fields");
    }
    bob.delete(&own).await.ok();
    bob.get(&team).await.refused(404, "not_found");
    ann.delete(&own).await.refused(404, "not_found");
    assert_eq!(ann.get(&team).await.ok()["total_count"], 1);
}

#[tokio::test]
async fn who_was_asked_by_its_id_is_not_shown_by_its_address() {
    let shop = Shop::open().await;
    let (ann, bob) = (shop.user("ann@example.org").await, shop.user("bob@example.org").await);
    let hall = ann.partner("Hall").await;
    ann.patch(&format!("partners/{hall}"), json!({"users": [ann.id, bob.id]})).await.ok();
    let team = format!("/v2/resources/partners/{hall}/managers");
    let listed = ann.get(&format!("{team}?page=2&page_size=1")).await.ok();
    assert_eq!((&listed["total_count"], &listed["data"][0]["user"]), (&json!(2), &json!(bob.id)));
    assert_eq!(listed["data"][0]["email"], Value::Null);
    ann.patch(&format!("{team}/{}", bob.id), json!({"role": "reader"})).await.ok();
    assert_eq!(ann.get(&team).await.ok()["data"][1]["email"], Value::Null);
    ann.post(&team, json!({"email": "bob@example.org", "role": "reader"})).await.ok();
    assert_eq!(ann.get(&team).await.ok()["data"][1]["email"], "bob@example.org", "now it has said it itself");
}
