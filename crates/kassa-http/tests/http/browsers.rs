//! What other sites could make a browser do. Of each answer that any test sees, `client.rs` sees
//! that it is no page and leads nowhere.

use kassa_http::HttpConfig;
use serde_json::{Value, json};

use crate::contract::Contract;
use crate::harness::{DAY_MS, NOTHING, PASSWORD, Shop};

const WHOAMI: &str = "/v1/services/whoami";
const NO_STORE: &str = "private, max-age=0, no-cache, no-store";
/// What a page can send anywhere without asking first.
const FORMS: [&str; 3] = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"];

#[tokio::test]
async fn what_a_credential_unlocks_is_kept_by_nobody() {
    let shop = Shop::open().await;
    let person = json!({"email": "ann@example.org", "password": PASSWORD});
    let registered = shop.anonymous().post("users", person.clone()).await;
    let logged_in = shop.anonymous().post(WHOAMI, person).await;
    let ann = shop.anonymous().with_cookie(&logged_in.session_token());
    let org = shop.organizer("org@example.org").await;
    let answers = [
        registered,
        logged_in,
        ann.get(WHOAMI).await,
        ann.get(&format!("orders/{NOTHING}")).await,
        org.get("events").await,
        ann.delete(WHOAMI).await,
    ];
    for answer in answers {
        assert_eq!(answer.header("cache-control"), NO_STORE, "{answer:?}");
    }
}

#[tokio::test]
async fn what_is_open_to_all_is_not_kept_for_who_has_a_credential() {
    let shop = Shop::open().await;
    for path in ["events", "countries", "/v1/resources/events/x"] {
        let answer = shop.anonymous().get(path).await;
        let varies = answer.headers.get_all("vary").iter().any(|value| value == "authorization, cookie");
        assert!(varies && answer.header("cache-control").is_empty(), "{answer:?}");
    }
    for path in ["/openapi.json", "/docs"] {
        let answer = shop.anonymous().get(path).await;
        assert_eq!(answer.header("cache-control"), "public, max-age=3600");
    }
}

#[tokio::test]
async fn no_page_of_another_site_writes_with_a_cookie() {
    let shop = Shop::open().await;
    let ann = shop.user("ann@example.org").await.with("host", "tickets.example.org");
    let elsewhere = ann.with("origin", "https://evil.example.com");
    let mut tried = 0;
    for contract in Contract::all(&shop).await {
        for (method, path, operation) in contract.operations().filter(|(method, ..)| *method != "get") {
            // Nobody is logged in by these with what came along.
            let sessionless = [
                "log_in",
                "log_out",
                "register",
                "confirm_email",
                "request_password_reset",
                "reset_password",
                "request_order_links",
                "receive_stripe_notice",
            ];
            if sessionless.contains(&operation["operationId"].as_str().unwrap()) {
                continue;
            }
            let path = path.replace(['{', '}'], "");
            let answer = elsewhere.json(&method.to_uppercase(), &path, &json!({})).await;
            answer.refused(403, "cross_site");
            tried += 1;
        }
    }
    assert!(tried >= 40, "{tried}");
}

#[tokio::test]
async fn forms_are_taken_by_nothing() {
    let shop = Shop::open().await;
    let ann = shop.user("ann@example.org").await;
    let person = json!({"email": "ann@example.org", "password": PASSWORD}).to_string().into_bytes();
    for form in FORMS {
        // A log-in by a form would put somebody into another's account.
        let answer = shop.anonymous().send("POST", WHOAMI, Some(form), person.clone()).await;
        answer.refused(415, "unsupported_media_type");
        let answer = ann.send("POST", "partners", Some(form), br#"{"name": "Hall"}"#.to_vec()).await;
        answer.refused(415, "unsupported_media_type");
    }
    // A page can also send a body without a type, about which a browser asks nobody.
    for site in ["cross-site", "same-site"] {
        let page = shop.anonymous().with("sec-fetch-site", site);
        page.send("POST", WHOAMI, None, person.clone()).await.refused(415, "unsupported_media_type");
        page.json("POST", WHOAMI, &json!({"email": "ann@example.org", "password": PASSWORD})).await.ok();
    }
    for client in [shop.anonymous(), shop.anonymous().with("sec-fetch-site", "same-origin")] {
        client.send("POST", WHOAMI, None, person.clone()).await.ok();
    }
}

#[tokio::test]
async fn other_origins_are_let_in_without_cookies_only() {
    let shop = Shop::open().await;
    let evil = shop.anonymous().with("origin", "https://evil.example.com");
    let asks = evil.with("access-control-request-method", "DELETE");
    for (client, method, path) in [(&asks, "OPTIONS", WHOAMI), (&evil, "GET", "events"), (&evil, "GET", WHOAMI)] {
        let answer = client.send(method, path, None, Vec::new()).await;
        assert_eq!(answer.header("access-control-allow-origin"), "*", "with it, a browser sends no cookie");
        assert!(!answer.headers.contains_key("access-control-allow-credentials"), "{answer:?}");
    }
}

#[tokio::test]
async fn a_log_in_makes_a_new_session_whatever_came_along() {
    let shop = Shop::open().await;
    let mallory = shop.user("mallory@example.org").await;
    shop.user("ann@example.org").await;
    let planted = "0123456789abcdef".repeat(4);
    for token in [&mallory.token, &planted] {
        let tricked = shop.anonymous().with_cookie(token);
        let answer = tricked.post(WHOAMI, json!({"email": "ann@example.org", "password": PASSWORD})).await;
        assert_ne!(answer.session_token(), *token);
    }
    assert_eq!(mallory.get(WHOAMI).await.ok()["email"], "mallory@example.org");
    shop.anonymous().with_cookie(&planted).get(WHOAMI).await.refused(401, "credential_invalid");
}

#[tokio::test]
async fn a_new_password_ends_the_other_sessions() {
    let shop = Shop::open().await;
    let ann = shop.user("ann@example.org").await;
    let stolen = shop.log_in("ann@example.org", PASSWORD).await;
    let bob = shop.user("bob@example.org").await;
    let path = ann.path();
    let change = |change: Value| ann.patch(&path, change);
    change(json!({"first_name": "Ann"})).await.ok();
    change(json!({"email": "ann@example.net", "current_password": PASSWORD})).await.ok();
    stolen.get(WHOAMI).await.ok();
    change(json!({"password": "battery staple", "current_password": PASSWORD})).await.ok();
    stolen.get(WHOAMI).await.refused(401, "credential_invalid");
    ann.get(WHOAMI).await.ok();
    bob.get(WHOAMI).await.ok();
    let again = shop.log_in("ann@example.net", "battery staple").await;
    again.get(WHOAMI).await.ok();
    shop.pass_ms(2 * DAY_MS);
    stolen.get(WHOAMI).await.refused(401, "credential_invalid");
    ann.get(WHOAMI).await.ok();
}

#[tokio::test]
async fn no_header_leads_urls_of_a_public_server_elsewhere() {
    let public_url = Some("https://tickets.example.org".parse().unwrap());
    let shop = Shop::with(HttpConfig { public_url, ..HttpConfig::default() }).await;
    let org = shop.organizer("org@example.org").await;
    let evil = org
        .with("host", "evil.example.com")
        .with("x-forwarded-host", "evil.example.com")
        .with("forwarded", "host=evil.example.com;proto=http");
    let picture = evil.send("POST", "attachments", Some("image/png"), b"\x89PNG\r\n\x1a\n".to_vec()).await.ok();
    assert!(picture["url"].as_str().unwrap().starts_with("https://tickets.example.org/files/"), "{picture}");
    // Nor does anything in a query.
    for name in ["next", "redirect", "redirect_uri", "return_to", "url", "success_url"] {
        let answer = evil.get(&format!("events?{name}=https://evil.example.com")).await;
        assert!(!String::from_utf8_lossy(&answer.bytes).contains("evil.example.com"), "{answer:?}");
        answer.ok();
    }
}
