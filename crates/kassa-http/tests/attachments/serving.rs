//! Files on their way out: to anybody who has the url.

use axum::body::Body;
use kassa_http::HttpConfig;
use serde_json::Value;

use crate::shop::{ATTACHMENTS, Shop, path_of, request};

#[tokio::test]
async fn browsers_draw_safe_images_and_save_everything_else() {
    let shop = Shop::open().await;
    let key = shop.key("ann@example.org").await;
    let kinds = [
        ("image/png", ""),
        ("image/jpeg; q=1", ""),
        ("image/gif", ""),
        ("image/webp", ""),
        ("image/avif", ""),
        ("image/svg+xml", "attachment"),
        ("text/html", "attachment"),
        ("application/pdf", "attachment"),
        ("application/octet-stream", "attachment"),
    ];
    for (kind, disposition) in kinds {
        let made = shop.file(&key, kind, "<script>").await;
        let file = shop.get(&path_of(&made["url"]), &[("authorization", "key wrong")]).await;
        assert_eq!((file.status, file.bytes.as_slice()), (200, b"<script>".as_slice()), "{kind}");
        assert_eq!((file.header("content-type"), file.header("content-disposition")), (kind, disposition));
        assert_eq!(file.header("x-content-type-options"), "nosniff");
        assert_eq!(file.header("content-security-policy"), "default-src 'none'; sandbox");
        assert_eq!(file.header("cache-control"), "public, max-age=31536000, immutable");
        assert_eq!(file.header("content-length"), "8");
        assert_eq!(file.header("etag"), format!("\"{}\"", made["md5"].as_str().unwrap()));
    }
}

#[tokio::test]
async fn a_head_has_all_but_the_bytes() {
    let shop = Shop::open().await;
    let path = file(&shop).await;
    let get = shop.get(&path, &[]).await;
    let head = shop.send(request("HEAD", &path, &[("range", "bytes=0-0")], Body::empty())).await;
    assert_eq!((head.status, head.bytes.len()), (200, 0));
    for name in ["content-length", "content-type", "etag", "cache-control", "content-disposition", "accept-ranges"] {
        assert_eq!(head.header(name), get.header(name), "{name}");
    }
    assert_eq!(head.header("content-length"), "10");
}

#[tokio::test]
async fn a_client_that_has_the_bytes_is_not_sent_them_again() {
    let shop = Shop::open().await;
    let path = file(&shop).await;
    let etag = shop.get(&path, &[]).await.header("etag").to_owned();
    for known in [etag.clone(), format!("\"x\", W/{etag}"), "*".to_owned()] {
        let answer = shop.get(&path, &[("if-none-match", &known)]).await;
        assert_eq!((answer.status, answer.bytes.len(), answer.header("etag")), (304, 0, etag.as_str()), "{known}");
    }
    assert_eq!(shop.get(&path, &[("if-none-match", "\"x\"")]).await.status, 200);
}

#[tokio::test]
async fn a_range_is_a_part_of_the_file() {
    let shop = Shop::open().await;
    let path = file(&shop).await;
    let part = shop.get(&path, &[("range", "bytes=2-4")]).await;
    assert_eq!((part.status, part.bytes.as_slice()), (206, b"234".as_slice()));
    assert_eq!((part.header("content-range"), part.header("content-length")), ("bytes 2-4/10", "3"));
    let beyond = shop.get(&path, &[("range", "bytes=10-")]).await;
    assert_eq!((beyond.status, beyond.header("content-range")), (416, "bytes */10"));
    let changed = shop.get(&path, &[("range", "bytes=2-4"), ("if-range", "\"x\"")]).await;
    assert_eq!((changed.status, changed.bytes.len()), (200, 10));
}

#[tokio::test]
async fn a_removed_attachment_has_no_url() {
    let shop = Shop::open().await;
    let key = shop.key("ann@example.org").await;
    let made = shop.file(&key, "text/plain", "abc").await;
    let path = path_of(&made["url"]);
    assert_eq!(shop.get(&path, &[]).await.status, 200);
    shop.remove(&made["id"]);
    shop.get(&path, &[]).await.refused(404, "not_found");
    let item = format!("{ATTACHMENTS}/{}", made["id"].as_str().unwrap());
    assert_eq!(shop.get(&item, &[("authorization", &key)]).await.is(200)["removed"], true);
}

#[tokio::test]
async fn a_url_that_was_never_given_is_not_found() {
    let shop = Shop::open().await;
    let token = "0123456789abcdef0123456789abcdef";
    for name in [token, &token.to_uppercase(), "x", "../secret", &format!("{token}0")] {
        shop.get(&format!("/files/{name}"), &[]).await.is(404);
    }
    let post = request("POST", &format!("/files/{token}"), &[], Body::empty());
    shop.send(post).await.refused(405, "method_not_allowed");
}

#[tokio::test]
async fn urls_begin_where_clients_reach_the_server() {
    let shop = Shop::open().await;
    let key = shop.key("ann@example.org").await;
    shop.file(&key, "text/plain", "abc").await;
    let host = [("host", "tickets.test:8443"), ("x-forwarded-proto", "https")];
    let cases: [(&[(&str, &str)], &str); 4] = [
        (&host[..1], "http://tickets.test:8443/files/"),
        (&host, "https://tickets.test:8443/files/"),
        (&[("host", "a b\"<")], "http://localhost/files/"),
        (&[], "http://localhost/files/"),
    ];
    for (headers, start) in cases {
        assert!(url(&shop, &key, headers).await.starts_with(start), "{headers:?}");
    }
    let public_url = Some("https://kassa.example.org/shop/".parse().unwrap());
    let shop = Shop::with(HttpConfig { public_url, ..HttpConfig::default() }).await;
    let key = shop.key("ann@example.org").await;
    shop.file(&key, "text/plain", "abc").await;
    let url = url(&shop, &key, &host).await;
    let token = url.strip_prefix("https://kassa.example.org/shop/files/").unwrap();
    assert!(token.len() == 32 && token.bytes().all(|byte| byte.is_ascii_hexdigit()), "{token}");
}

/// The url of the only attachment, as a request with these headers is told it.
async fn url(shop: &Shop, key: &str, headers: &[(&str, &str)]) -> String {
    let headers = [&[("authorization", key)], headers].concat();
    let list: Value = shop.get(ATTACHMENTS, &headers).await.is(200);
    list[0]["url"].as_str().unwrap().to_owned()
}

/// The path of a text of ten digits.
async fn file(shop: &Shop) -> String {
    let key = shop.key("ann@example.org").await;
    path_of(&shop.file(&key, "text/plain", "0123456789").await["url"])
}
