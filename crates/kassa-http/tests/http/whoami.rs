//! `/v1/services/whoami`: sessions.

use kassa_http::HttpConfig;
use serde_json::json;

use crate::access::{Row, open, row};
use crate::client::shape;
use crate::harness::{DAY_MS, PASSWORD, Shop};

/// What each kind of caller gets.
#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    row("GET /v1/services/whoami", "", 401, [401, 200], [401, 200], 200),
    open("POST /v1/services/whoami", r#"{"email": "own@example.org", "password": "correct horse"}"#, 200),
    open("DELETE /v1/services/whoami", "", 200),
];

const WHOAMI: &str = "/v1/services/whoami";

#[tokio::test]
async fn a_log_in_answers_the_user_and_sets_the_cookie() {
    let shop = Shop::open().await;
    shop.user("ann@example.org").await;
    let credentials = json!({"email": "Ann@example.org", "password": PASSWORD});
    let answer = shop.anonymous().post(WHOAMI, credentials).await;
    let token = answer.session_token();
    assert!(token.len() == 64 && token.bytes().all(|byte| byte.is_ascii_hexdigit()), "256 bits: {token}");
    let attributes = answer.header("set-cookie").replace(&token, "[token]");
    insta::assert_snapshot!(attributes, @"auth_tkt=[token]; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax");
    insta::assert_snapshot!(shape(&answer.ok()), @r#"
    {
      "created_at": "2026-01-01T00:00:00.000000+00:00",
      "email": "ann@example.org",
      "first_name": null,
      "id": "[id]",
      "last_name": null,
      "partners": [],
      "tags": [],
      "updated_at": "2026-01-01T00:00:00.000000+00:00"
    }
    "#);
}

#[tokio::test]
async fn the_cookie_is_secure_behind_tls() {
    let config =
        HttpConfig { public_url: Some("https://tickets.example.org".parse().unwrap()), ..HttpConfig::default() };
    let shop = Shop::with(config).await;
    shop.user("ann@example.org").await;
    let credentials = json!({"email": "ann@example.org", "password": PASSWORD});
    let answer = shop.anonymous().post(WHOAMI, credentials).await;
    assert!(answer.header("set-cookie").ends_with("; Secure"));
}

#[tokio::test]
async fn wrong_credentials_are_401_and_tell_nothing() {
    let shop = Shop::open().await;
    shop.user("ann@example.org").await;
    let wrong = [("ann@example.org", "not this one"), ("nobody@example.org", PASSWORD), ("ann@example.org", "")];
    let mut bodies = Vec::new();
    for (email, password) in wrong {
        let answer = shop.anonymous().post(WHOAMI, json!({"email": email, "password": password})).await;
        assert_eq!(answer.header("set-cookie"), "");
        bodies.push(answer.error());
        answer.refused(401, "credential_invalid");
    }
    assert!(bodies.windows(2).all(|pair| pair[0] == pair[1]));
}

#[tokio::test]
async fn a_refusal_says_which_credential_is_wrong_and_how() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let header = "The Authorization header must be: key, a space, and the 32 hexadecimal digits of an API key";
    let ended = "The session has ended: log in again";
    let stranger = || shop.anonymous();
    let cases = [
        (
            stranger(),
            "credential_required",
            "This needs a credential: an API key in the Authorization header, or the cookie of a session",
        ),
        (stranger().with("authorization", "key None"), "credential_invalid", header),
        (stranger().with("authorization", "Basic YTpi"), "credential_invalid", header),
        (
            stranger().with("authorization", format!("key {}", "0".repeat(32))),
            "credential_invalid",
            "This API key does not exist, or was removed",
        ),
        (stranger().with_cookie("gone"), "credential_invalid", ended),
        (stranger().with_cookie(""), "credential_invalid", ended),
        (
            shop.anonymous().with_key(&org.token),
            "credential_invalid",
            "This needs the session of a user: an API key stands for a partner",
        ),
    ];
    for (client, code, reason) in cases {
        let answer = client.get(WHOAMI).await;
        assert_eq!(answer.error()["reason"], reason);
        answer.refused(401, code);
    }
    let body = json!({"email": "org@example.org", "password": "not this one"});
    assert_eq!(shop.anonymous().post(WHOAMI, body).await.error()["reason"], "The e-mail or the password is wrong");
}

#[tokio::test]
async fn log_in_ignores_the_credentials_that_come_along() {
    let shop = Shop::open().await;
    shop.user("ann@example.org").await;
    let stale = shop.anonymous().with("authorization", "key None").with_cookie("gone");
    let credentials = json!({"email": "ann@example.org", "password": PASSWORD});
    stale.post(WHOAMI, credentials).await.ok();
    stale.post("users", json!({"email": "bob@example.org", "password": PASSWORD})).await.created();
}

#[tokio::test]
async fn each_log_in_is_a_session_of_its_own() {
    let shop = Shop::open().await;
    let first = shop.user("ann@example.org").await;
    let second = shop.log_in("ann@example.org", PASSWORD).await;
    assert_ne!(first.token, second.token);
    first.delete(WHOAMI).await.ok();
    first.get(WHOAMI).await.refused(401, "credential_invalid");
    assert_eq!(second.get(WHOAMI).await.ok()["id"], second.id);
}

#[tokio::test]
async fn a_log_out_clears_the_cookie_and_succeeds_in_any_case() {
    let shop = Shop::open().await;
    let ann = shop.user("ann@example.org").await;
    let foreign = shop.anonymous().with("authorization", "key None");
    for client in [&ann.clone(), &ann.with("x-later", "1"), &shop.anonymous(), &foreign] {
        let answer = client.delete(WHOAMI).await;
        assert!(
            answer
                .header("set-cookie")
                .starts_with("auth_tkt=; Path=/; Max-Age=0; Expires=Wed, 31 Dec 1997 23:59:59 GMT")
        );
        assert_eq!(answer.ok(), json!({}));
    }
    ann.get("events").await.refused(401, "credential_invalid");
}

#[tokio::test]
async fn the_cookie_is_read_leniently() {
    let shop = Shop::open().await;
    let ann = shop.user("ann@example.org").await;
    for cookie in
        [format!("a=b; auth_tkt=\"{}\"; Domain=.x.org; Path=/", ann.token), format!("auth_tkt={};", ann.token)]
    {
        assert_eq!(shop.anonymous().with("cookie", cookie).get(WHOAMI).await.ok()["id"], ann.id);
    }
    for cookie in ["auth_tkt=", "auth_tkt=0123"] {
        shop.anonymous().with("cookie", cookie).get("events").await.refused(401, "credential_invalid");
    }
    assert_eq!(shop.anonymous().with("cookie", "other=1").get("events").await.ok(), json!([]));
}

#[tokio::test]
async fn a_session_lasts_thirty_days() {
    let shop = Shop::open().await;
    let ann = shop.user("ann@example.org").await;
    shop.pass_ms(30 * DAY_MS);
    ann.get(WHOAMI).await.refused(401, "credential_invalid");
}

#[tokio::test]
async fn a_session_in_use_lasts_longer() {
    let shop = Shop::open().await;
    let ann = shop.user("ann@example.org").await;
    for _ in 0..3 {
        shop.pass_ms(29 * DAY_MS);
        ann.get(WHOAMI).await.ok();
    }
    shop.pass_ms(30 * DAY_MS);
    ann.get(WHOAMI).await.refused(401, "credential_invalid");
}

#[tokio::test]
async fn a_session_is_not_extended_within_its_first_day() {
    let shop = Shop::open().await;
    let ann = shop.user("ann@example.org").await;
    shop.pass_ms(DAY_MS);
    ann.get(WHOAMI).await.ok();
    shop.pass_ms(29 * DAY_MS);
    ann.get(WHOAMI).await.refused(401, "credential_invalid");
}

#[tokio::test]
async fn the_cookie_of_an_extended_session_lasts_as_long_as_it() {
    let shop = Shop::open().await;
    let ann = shop.user("ann@example.org").await;
    shop.pass_ms(2 * DAY_MS);
    let answer = ann.get(WHOAMI).await;
    assert_eq!(answer.session_token(), ann.token);
    assert!(answer.header("set-cookie").contains("; Max-Age=2592000;"));
}

#[tokio::test]
async fn writes_with_a_cookie_come_from_this_origin() {
    let shop = Shop::open().await;
    let ann = shop.user("ann@example.org").await.with("host", "tickets.example.org");
    let cases = [
        ("sec-fetch-site", "same-origin", true),
        ("sec-fetch-site", "same-site", false),
        ("sec-fetch-site", "none", true),
        ("sec-fetch-site", "cross-site", false),
        ("origin", "https://tickets.example.org", true),
        ("origin", "http://tickets.example.org:8080", false),
        ("origin", "https://evil.example.com", false),
        ("origin", "https://tickets.example.org.evil.com", false),
        ("origin", "null", false),
        ("referer", "https://evil.example.com", true),
    ];
    for (name, value, may) in cases {
        let answer = ann.with(name, value).post("partners", json!({"name": "Hall"})).await;
        if may {
            answer.created();
        } else {
            answer.refused(403, "cross_site");
        }
        ann.with(name, value).get("partners").await.ok();
    }
}

#[tokio::test]
async fn writes_with_a_key_come_from_anywhere() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let elsewhere = org.with("origin", "https://evil.example.com").with("sec-fetch-site", "cross-site");
    elsewhere.patch(&org.path(), json!({"name": "Hall"})).await.ok();
}

#[tokio::test]
async fn a_key_is_nobody_who_could_be_logged_in() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    org.get(WHOAMI).await.refused(401, "credential_invalid");
    shop.anonymous().get(WHOAMI).await.refused(401, "credential_required");
}
