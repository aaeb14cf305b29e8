//! What pages never do, whatever stands in them.

use kassa_http::http::{StatusCode, header};
use serde_json::json;

use crate::harness::{Partner, Shop};

const HOSTILE: &str = "</title><script>alert(1)</script>\"><img src=x onerror=alert(1)>'";

/// Every page that there is, with hostile texts wherever somebody else writes them.
async fn hostile_pages(shop: &Shop, org: &Partner) -> Vec<String> {
    let venue = json!({"name": HOSTILE, "desc": HOSTILE, "address": HOSTILE, "city": 2_911_298});
    let venue = org.send("POST", "venues", &venue).await["id"].clone();
    let title = json!({"text": HOSTILE, "desc": format!("{HOSTILE}\n\n{HOSTILE}")});
    let event = org.event("", json!({"title": title, "venue": venue})).await;
    let set = json!({"name": HOSTILE, "desc": HOSTILE, "amount": 3, "price": "1.00"});
    org.set(&event, set).await;
    let about = json!({"desc": HOSTILE, "contact": {"www": "javascript:alert(1)"}});
    org.send("PATCH", &format!("partners/{}", org.id), &about).await;
    let mut pages: Vec<String> = ["/", "/imprint", "/terms", "/accessibility"].map(str::to_owned).into();
    for path in [format!("/e/{event}"), format!("/o/{}", org.id), format!("/o/{}?view=calendar", org.id)] {
        pages.push(shop.get(&path).await.moved_to().to_owned());
    }
    pages
}

#[tokio::test]
async fn texts_of_others_are_texts_and_pages_have_no_inline_code() {
    let shop = Shop::open().await;
    let org = shop.organizer().await;
    for path in hostile_pages(&shop, &org).await {
        let page = shop.get(&path).await;
        let html = page.html();
        for code in ["<script>", "<img src=x", "javascript:", " style=", "<style", " onclick="] {
            assert!(!html.contains(code), "{path} has {code}");
        }
        // Each script is a file, or data.
        for script in html.split("<script ").skip(1) {
            let tag = script.split_once('>').unwrap().0;
            let is_file = tag.starts_with("type=\"module\" src=\"/assets/");
            assert!(is_file || tag.contains("json"), "{path}: {tag}");
        }
    }
}

#[tokio::test]
async fn pages_load_nothing_from_elsewhere_and_are_framed_by_nobody() {
    let shop = Shop::open().await;
    let org = shop.organizer().await;
    let mut paths = hostile_pages(&shop, &org).await;
    paths.push("/nowhere".to_owned());
    for path in paths {
        let page = shop.get(&path).await;
        let policy = page.header(header::CONTENT_SECURITY_POLICY);
        assert!(policy.starts_with("default-src 'self'; "), "{path}: {policy}");
        assert!(policy.ends_with("frame-ancestors 'none'") && !policy.contains("unsafe"), "{path}: {policy}");
        assert_eq!(page.header(header::X_FRAME_OPTIONS), "DENY", "{path}");
        assert_eq!(page.header(header::X_CONTENT_TYPE_OPTIONS), "nosniff", "{path}");
        assert_eq!(page.header(header::REFERRER_POLICY), "same-origin", "{path}: other sites do not hear of it");
        assert_eq!(page.header(header::ACCESS_CONTROL_ALLOW_ORIGIN), "", "{path}: other sites read no pages");
    }
}

#[tokio::test]
async fn what_is_not_there_is_a_page_beside_the_interface_and_json_within() {
    let shop = Shop::open().await;
    for path in ["/nowhere", "/e", "/e/x/y", "/assets/none.css", "/healthz"] {
        let page = shop.get(path).await;
        assert_eq!(
            (page.status, page.header(header::CONTENT_TYPE)),
            (StatusCode::NOT_FOUND, "text/html; charset=utf-8"),
            "{path}"
        );
        assert!(page.text().contains("<h1>This page is not here</h1>"), "{path}");
        assert_eq!(page.header(header::CACHE_CONTROL), "no-store", "{path}");
    }
    for path in ["/v1/nowhere", "/v2/nowhere", "/v1", "//v1///nowhere", "/docs/nothing", "/files/none"] {
        let answer = shop.get(path).await;
        assert_eq!(
            (answer.status, answer.header(header::CONTENT_TYPE)),
            (StatusCode::NOT_FOUND, "application/json; charset=UTF-8"),
            "{path}"
        );
    }
    assert_eq!(shop.get("/docs").await.status, StatusCode::OK);
}

#[tokio::test]
async fn pages_are_read_only() {
    let shop = Shop::open().await;
    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"] {
        let page = shop.ask(method, "/", &[]).await;
        assert_eq!(
            (page.status, page.header(header::ALLOW)),
            (StatusCode::METHOD_NOT_ALLOWED, "GET, HEAD"),
            "{method}"
        );
    }
    let (head, page) = (shop.ask("HEAD", "/", &[]).await, shop.get("/").await);
    assert_eq!((head.status, head.bytes.len()), (StatusCode::OK, 0));
    assert_eq!(head.header(header::CONTENT_LENGTH), page.bytes.len().to_string());
    assert_eq!(head.header(header::ETAG), page.header(header::ETAG));
}
