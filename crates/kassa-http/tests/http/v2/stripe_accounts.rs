//! Accounts at Stripe, and the routes of payments by it.

use serde_json::{Value, json};

use crate::access::{Row, checked, row};
use crate::harness::{Shop, text};

pub(crate) const ACCOUNT: &str = "/v2/services/stripe_account";
pub(crate) const SECRET_KEY: &str = "sk_test_4eC39HqLyjWDarjtT1zdp7dc";
pub(crate) const WEBHOOK_SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/// What each kind of caller gets.
#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    row("GET /v2/services/stripe_account", "", 401, [200, 200], [200, 200], 400),
    row("POST /v2/services/stripe_account", r#"{"secret_key": "sk_test_4eC39HqLyjWDarjtT1zdp7dc"}"#, 401, [200, 200], [200, 200], 400),
    row("DELETE /v2/services/stripe_account", "", 401, [200, 200], [200, 200], 400),
    row("POST /v2/resources/orders/{payable}/payments/{payment}/checkout", "", 401, [404, 404], [400, 400], 400),
    checked("POST /v2/services/stripe_notices/{event}", "{}", 400),
];

pub(crate) async fn keys_are_kept_and_never_shown_again(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let none = org.get(ACCOUNT).await.ok()["data"].clone();
    assert_eq!((&none["secret_key"], &none["webhook_secret"]), (&Value::Null, &Value::Null));
    assert!(text(&none["notices_url"]).ends_with(&format!("/v2/services/stripe_notices/{}", org.id)));
    let keys = json!({"secret_key": SECRET_KEY, "webhook_secret": WEBHOOK_SECRET});
    let set = org.post(ACCOUNT, keys).await.ok();
    assert_eq!((&set["data"]["secret_key"], &set["data"]["webhook_secret"]), (&json!("…p7dc"), &json!("…LaSw")));
    assert_eq!(org.get(ACCOUNT).await.ok(), set);
    // Nor does the partner show anything of them, to itself or to others, nor its history.
    let history = format!("/v2/resources/partners/{}/history", org.id);
    for (client, path) in [(&*org, org.path()), (&*org, history), (&shop.anonymous(), org.path())] {
        let shown = client.get(&path).await.json().to_string();
        assert!(!shown.contains("4eC39") && !shown.contains("p7dc") && !shown.contains("sealed"), "{shown}");
    }
    // What is said of the shop leaves the account alone.
    org.patch(&org.path(), json!({"shop": {"open": true, "payments": ["STRIPE"]}})).await.ok();
    assert_eq!(org.get(ACCOUNT).await.ok(), set);
    let other = shop.organizer("other@example.org").await;
    assert_eq!(other.get(ACCOUNT).await.ok()["data"]["secret_key"], Value::Null);
    for wrong in [
        json!({}),
        json!({"secret_key": "pk_test_4eC39HqLyjWDarjtT1zdp7dc"}),
        json!({"secret_key": "sk_short"}),
        json!({"secret_key": "sk_test_4eC39 HqLyjWDarjtT1zdp7dc"}),
        json!({"secret_key": SECRET_KEY, "webhook_secret": "we_4eC39HqLyjWDarjtT1zdp7dc"}),
    ] {
        org.post(ACCOUNT, wrong).await.refused(400, "invalid_fields");
    }
    assert_eq!(org.get(ACCOUNT).await.ok(), set, "what is wrong changes nothing");
    assert_eq!(org.delete(ACCOUNT).await.ok(), none_of(&none));
    assert_eq!(org.get(ACCOUNT).await.ok()["data"], none);
}

fn none_of(data: &Value) -> Value {
    json!({"data": data, "refs": {}})
}
