//! What pages load, and how often.

use std::io::Read as _;

use flate2::read::GzDecoder;
use kassa_http::http::{StatusCode, header};

use crate::harness::Shop;

/// Paths of all that a page loads from here.
fn loaded_by(html: &str) -> Vec<String> {
    let attributes = html.split(['"']).filter(|value| value.starts_with("/assets/"));
    attributes.map(str::to_owned).collect()
}

#[tokio::test]
async fn assets_have_hashed_names_and_are_kept_for_good() {
    let shop = Shop::open().await;
    let paths = loaded_by(shop.get("/").await.html());
    assert!(paths.len() >= 2, "{paths:?}");
    for path in paths {
        let parts: Vec<&str> = path.rsplit('/').next().unwrap().split('.').collect();
        assert!(parts.len() == 3 && parts[1].len() == 16, "{path}");
        let plain = shop.get(&path).await;
        assert_eq!(plain.header(header::CACHE_CONTROL), "public, max-age=31536000, immutable");
        let packed = shop.ask("GET", &path, &[("accept-encoding", "gzip")]).await;
        assert_eq!(packed.header(header::CONTENT_ENCODING), "gzip");
        let mut unpacked = Vec::new();
        GzDecoder::new(&packed.bytes[..]).read_to_end(&mut unpacked).unwrap();
        assert_eq!(unpacked, plain.bytes);
        let tag = plain.header(header::ETAG).to_owned();
        assert_ne!(tag, packed.header(header::ETAG));
        let again = shop.ask("GET", &path, &[("if-none-match", &tag)]).await;
        assert_eq!((again.status, again.bytes.len()), (StatusCode::NOT_MODIFIED, 0));
    }
}

#[tokio::test]
async fn a_page_is_sent_once_to_whoever_has_it() {
    let shop = Shop::open().await;
    let page = shop.get("/").await;
    assert_eq!(page.header(header::CACHE_CONTROL), "no-cache");
    assert_eq!(page.header(header::VARY), "Accept-Encoding, Accept-Language, Cookie");
    let tag = page.header(header::ETAG).to_owned();
    assert_eq!(shop.ask("GET", "/", &[("if-none-match", &tag)]).await.status, StatusCode::NOT_MODIFIED);
    let german = shop.ask("GET", "/", &[("if-none-match", &tag), ("accept-language", "de")]).await;
    assert_eq!(german.status, StatusCode::OK, "it is another page");
    shop.organizer().await.event("Lanterns", serde_json::json!({})).await;
    assert_eq!(shop.ask("GET", "/", &[("if-none-match", &tag)]).await.status, StatusCode::OK, "it has changed");
}
