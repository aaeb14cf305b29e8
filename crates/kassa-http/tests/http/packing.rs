//! Long answers are packed for those who take them so.

use serde_json::json;

use crate::harness::Shop;

#[tokio::test]
async fn long_answers_are_compressed_for_clients_that_ask() {
    let shop = Shop::open().await;
    let asks = shop.anonymous().with("accept-encoding", "gzip, deflate");
    let long = asks.get("countries").await;
    assert_eq!((long.status, long.header("content-encoding")), (200, "gzip"));
    assert_eq!(long.bytes[..2], [0x1f, 0x8b]);
    let plain = shop.anonymous().get("countries").await;
    assert_eq!(plain.header("content-encoding"), "");
    assert!(plain.bytes.len() > 2 * long.bytes.len(), "{} and {}", plain.bytes.len(), long.bytes.len());
    let short = asks.get("countries?ids=FR&fields-schema=id").await;
    assert_eq!((short.header("content-encoding"), short.json()), ("", json!([{"id": "FR"}])));
}

#[tokio::test]
async fn a_list_that_is_streamed_is_compressed_too() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    event.set(100, "1.00").await;
    let path = format!("{}/tickets", event.path);
    let plain = shop.anonymous().get(&path).await;
    let short = shop.anonymous().with("accept-encoding", "gzip").get(&path).await;
    assert_eq!((short.status, short.header("content-encoding"), short.total()), (200, "gzip", 100));
    let length = u32::from_le_bytes(short.bytes[short.bytes.len() - 4..].try_into().unwrap());
    assert_eq!(length as usize, plain.bytes.len(), "it ends as gzip does: with how long it is");
}

#[tokio::test]
async fn long_answers_depend_on_what_the_client_takes_and_head_says_so() {
    let shop = Shop::open().await;
    let (stranger, packs) = (shop.anonymous(), shop.anonymous().with("accept-encoding", "gzip"));
    let (plain, packed) = (stranger.get("/openapi.json").await, packs.get("/openapi.json").await);
    assert_eq!((plain.header("content-encoding"), plain.header("vary")), ("", "accept-encoding"));
    assert_eq!((packed.header("content-encoding"), packed.header("vary")), ("gzip", "accept-encoding"));
    let head = stranger.send("HEAD", "/openapi.json", None, Vec::new()).await;
    assert_eq!(
        (head.header("content-length"), head.header("vary")),
        (&*plain.bytes.len().to_string(), "accept-encoding")
    );
    let head = packs.send("HEAD", "/openapi.json", None, Vec::new()).await;
    assert_eq!((head.header("content-length"), head.header("vary")), ("", "accept-encoding"));
    assert_eq!(head.header("content-encoding"), "gzip");
}

#[tokio::test]
async fn what_was_done_is_told_also_to_a_client_that_takes_no_form_of_it() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let picky = org.with("accept-encoding", "identity;q=0, *;q=0");
    assert_eq!(picky.patch(&event.path, json!({"title": {"text": "Matinee"}})).await.status, 200);
}
