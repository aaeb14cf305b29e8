//! What holds for every endpoint: order of precedence, slashes, methods, headers.

use serde_json::json;

use crate::harness::{NOTHING, Shop};

#[tokio::test]
async fn errors_come_in_the_documented_order() {
    let shop = Shop::open().await;
    let (org, other) = (shop.organizer("org@example.org").await, shop.organizer("other@example.org").await);
    let event = org.event("Concert").await;
    let path = event.path.as_str();
    let bad = shop.anonymous().with("authorization", "key None");
    let nobody = shop.anonymous();
    let (json, text) = (Some("application/json"), Some("text/plain"));
    let huge = vec![b'x'; 1024 * 1024 + 1];
    let title = br#"{"title": "Mine"}"#.to_vec();
    let nothing = format!("events/{NOTHING}");
    let cases = [
        (&bad, "PUT", "nowhere", text, huge.clone(), 401),
        (&nobody, "PATCH", path, text, huge.clone(), 401),
        (&*other, "PUT", "nowhere", text, huge.clone(), 404),
        (&*other, "PATCH", "events/x", text, huge.clone(), 404),
        (&*other, "PUT", path, text, huge.clone(), 405),
        (&*other, "PATCH", path, text, huge.clone(), 415),
        (&*other, "PATCH", path, json, huge, 413),
        (&*other, "PATCH", path, json, b"{".to_vec(), 400),
        (&*other, "PATCH", path, json, br#"{"title": 1}"#.to_vec(), 400),
        (&*other, "PATCH", &nothing, json, title.clone(), 404),
        (&*other, "PATCH", path, json, title, 403),
        (&*org, "PATCH", path, json, br#"{"removed": true, "status": "canceled"}"#.to_vec(), 200),
        (&*org, "PATCH", path, json, br#"{"status": "public"}"#.to_vec(), 400),
    ];
    for (client, method, path, content_type, body, status) in cases {
        let answer = client.send(method, path, content_type, body).await;
        assert_eq!(answer.status, status, "{method} {path}");
        if status != 200 {
            answer.error();
        }
    }
}

#[tokio::test]
async fn an_error_says_what_it_is() {
    let shop = Shop::open().await;
    let answer = shop.anonymous().get("orders").await;
    assert_eq!(answer.header("www-authenticate"), "key");
    insta::assert_snapshot!(serde_json::to_string_pretty(&answer.error()).unwrap(), @r#"
    {
      "code": "credential_required",
      "details": [],
      "error": "HTTPUnauthorized",
      "reason": "This needs a credential: an API key in the Authorization header, or the cookie of a session"
    }
    "#);
}

#[tokio::test]
async fn repeated_and_trailing_slashes_mean_nothing() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let expected = event.now().await;
    for path in [
        "//v1/resources/events/",
        "/v1//resources///events",
        "/v1/resources/events/?limit=5",
        "///v1/resources/events//?limit=5",
    ] {
        assert_eq!(shop.anonymous().get(path).await.ok(), json!([expected]), "{path}");
    }
    assert_eq!(shop.anonymous().get(&format!("//v1/resources/{}/", event.path)).await.ok(), expected);
    org.post("//v1/resources/events//", json!({"title": "X"})).await.ok();
    let stale = shop.anonymous().with("authorization", "key None");
    stale.delete("//v1/services/whoami/").await.ok();
}

#[tokio::test]
async fn nothing_is_elsewhere() {
    let shop = Shop::open().await;
    for path in [
        "/",
        "/v1",
        "/v1/resources",
        "/v1/services",
        "/v3/resources/events",
        "/v1/resources/nothing",
        "/v1/Resources/events",
        "/favicon.ico",
        "/v1/resources/events/..",
        "/%zz",
        "/v1/resources/events/%zz",
    ] {
        let answer = shop.anonymous().get(path).await;
        assert_eq!(answer.status, 404, "{path}");
        answer.error();
    }
}

#[tokio::test]
async fn head_is_get_without_a_body() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    event.set(2, "1.00").await;
    for path in ["events", "orders", &event.path, &format!("{}/tickets", event.path), &org.path()] {
        let (head, get) = (org.send("HEAD", path, None, Vec::new()).await, org.get(path).await);
        assert_eq!((head.status, head.bytes.len()), (200, 0), "{path}");
        for name in ["content-type", "total", "x-partner", "cache-control"] {
            assert_eq!(head.header(name), get.header(name), "{path} {name}");
        }
    }
    let unknown = org.send("HEAD", &format!("events/{NOTHING}"), None, Vec::new()).await;
    assert_eq!((unknown.status, unknown.bytes.len()), (404, 0));
}

#[tokio::test]
async fn options_tell_pages_of_other_sites_what_they_may_do() {
    let shop = Shop::open().await;
    let page =
        shop.anonymous().with("origin", "https://shop.example.com").with("access-control-request-method", "PATCH");
    for path in ["events", "orders", "/v1/services/whoami", &format!("events/{NOTHING}/sets")] {
        let answer = page.send("OPTIONS", path, None, Vec::new()).await;
        assert_eq!((answer.status, answer.header("access-control-allow-origin")), (200, "*"), "{path}");
        for method in ["GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS"] {
            assert!(answer.header("access-control-allow-methods").contains(method), "{path} {method}");
        }
        assert!(answer.header("access-control-allow-headers").to_lowercase().contains("authorization"));
        assert_eq!(answer.header("access-control-allow-credentials"), "", "never with a cookie");
    }
    for path in ["events", "orders", "nowhere"] {
        let answer = page.get(path).await;
        assert_eq!(answer.header("access-control-allow-origin"), "*", "{path}");
        assert!(answer.header("access-control-expose-headers").contains("TOTAL"), "{path}");
    }
}

#[tokio::test]
async fn options_tell_what_a_path_takes() {
    let shop = Shop::open().await;
    for (path, methods) in [
        ("events", "GET,HEAD,POST,OPTIONS"),
        ("/v1/services/whoami/", "DELETE,GET,HEAD,POST,OPTIONS"),
        (&format!("orders/{NOTHING}"), "DELETE,GET,HEAD,PATCH,OPTIONS"),
        ("/v2/services/promocodes/check", "POST,OPTIONS"),
        ("/openapi.json", "GET,HEAD,OPTIONS"),
        ("nowhere", "OPTIONS"),
    ] {
        let answer = shop.anonymous().send("OPTIONS", path, None, Vec::new()).await;
        assert_eq!(answer.status, 200, "{path}");
        let mut allowed: Vec<&str> = answer.header("allow").split(',').collect();
        let mut expected: Vec<&str> = methods.split(',').collect();
        allowed.sort_unstable();
        expected.sort_unstable();
        assert_eq!(allowed, expected, "{path}");
    }
}

#[tokio::test]
async fn methods_that_are_not_there_are_405() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let cases = [
        ("DELETE", "events".to_owned()),
        ("PUT", event.path.clone()),
        ("POST", event.path.clone()),
        ("BREW", "orders".to_owned()),
        ("TRACE", "orders".to_owned()),
        ("PATCH", format!("{}/tickets", event.path)),
        ("DELETE", org.path()),
        ("PUT", "/v1/services/whoami".to_owned()),
    ];
    for (method, path) in cases {
        let answer = org.json(method, &path, &json!({})).await;
        assert_eq!(answer.status, 405, "{method} {path}");
        assert_ne!(answer.header("allow"), "", "{method} {path}");
        answer.refused(405, "method_not_allowed");
    }
}

#[tokio::test]
async fn what_a_credential_unlocked_is_not_kept_by_caches() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let ann = shop.user("ann@example.org").await;
    for client in [&*org, &*ann] {
        for path in ["events", "orders", "nowhere"] {
            let answer = client.get(path).await;
            assert_eq!(answer.header("cache-control"), "private, max-age=0, no-cache, no-store", "{path}");
        }
    }
    assert_eq!(org.get("events").await.header("x-partner"), org.id);
    assert_eq!(shop.anonymous().get("events").await.header("x-partner"), "");
}

#[tokio::test]
async fn a_body_where_none_is_needed_is_ignored() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let order = org.order(&event, json!({"tickets": []})).await;
    assert_eq!(org.json("GET", "orders", &json!({})).await.ok()[0]["id"], order.id);
    assert_eq!(org.send("GET", "orders", Some("application/json"), Vec::new()).await.total(), 1);
    assert_eq!(org.json("DELETE", &order.path, &json!({})).await.ok(), json!({}));
    org.send("DELETE", &event.path, Some("text/plain"), b"{".to_vec()).await.ok();
}

#[tokio::test]
async fn ids_begin_with_the_second_of_their_making() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    shop.pass_ms(1_000_000);
    let event = org.event("Concert").await;
    let set = event.set(1, "1.00").await;
    let order = org.order(&event, set.random(1)).await;
    for id in [&event.id, &set.id, &order.id] {
        assert_eq!(u32::from_str_radix(&id[..8], 16).unwrap(), 1_767_225_600 + 1_000);
        assert_eq!(id[8..16], event.id[8..16], "what hangs on an event shares its tag");
    }
    let foreign_tag = format!("{}00000000{}", &event.id[..8], &event.id[16..]);
    org.get(&format!("events/{foreign_tag}")).await.refused(404, "not_found");
}

#[tokio::test]
async fn what_a_session_may_not_do_is_said_when_the_path_is_known() {
    let shop = Shop::open().await;
    let user = shop.user("ann@example.org").await;
    let elsewhere = user.with("x-partner", "nobody");
    elsewhere.send("GET", "nowhere", None, Vec::new()).await.refused(404, "no_such_path");
    elsewhere.send("PUT", "events", None, Vec::new()).await.refused(405, "method_not_allowed");
    elsewhere.get("events").await.refused(400, "partner_required");
    let cross_site = user.with("sec-fetch-site", "cross-site");
    cross_site.send("POST", "nowhere", None, Vec::new()).await.refused(404, "no_such_path");
    cross_site.post("partners", json!({"name": "X"})).await.refused(403, "cross_site");
}

#[tokio::test]
async fn a_wish_for_more_than_any_order_holds_is_refused_without_a_look() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(200, "1.00").await;
    for count in [101, 1_000_000] {
        org.post("orders", json!({"event": event.id, "random": {&set.id: count}})).await.refused(400, "tickets_limit");
    }
    let tickets = vec![NOTHING; 101];
    org.post("orders", json!({"event": event.id, "tickets": tickets})).await.refused(400, "tickets_limit");
}

#[tokio::test]
async fn a_request_that_asks_for_nothing_changes_nothing() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let order = org.order(&event, json!({"tickets": []})).await;
    let before = order.now().await;
    shop.pass_ms(1_000);
    order.patch(json!({})).await;
    assert_eq!(order.now().await, before);
}

#[tokio::test]
async fn a_legal_form_does_not_grow_without_end() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let keys =
        |from: u32| (from..from + 60).map(|key| (format!("k{key}"), json!("x"))).collect::<serde_json::Map<_, _>>();
    org.patch(&org.path(), json!({"legal": keys(0)})).await.ok();
    org.patch(&org.path(), json!({"legal": keys(60)})).await.refused(400, "too_many");
    let nested = org.patch(&org.path(), json!({"legal": {"bank": {"bik": null, "rs": "1"}}})).await.ok();
    assert_eq!(nested["legal"]["bank"], json!({"rs": "1"}), "null is nothing, also in what is new");
}
