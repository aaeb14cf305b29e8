//! Attachments that go, and what partners may store of them.

use kassa_domain::quota::QuotaKind;
use kassa_engine::verify::VerifyPace;
use serde_json::{Value, json};

use crate::shop::{ATTACHMENTS, Shop, path_of};

const EVENTS: &str = "/v1/resources/events";

fn resource(attachment: &Value) -> String {
    format!("{ATTACHMENTS}/{}", attachment["id"].as_str().unwrap())
}

async fn delete(shop: &Shop, key: &str, attachment: &Value) -> crate::shop::Answer {
    shop.json("DELETE", &resource(attachment), key, &Value::Null).await
}

#[tokio::test]
async fn a_removed_attachment_has_no_bytes_and_is_listed_only_when_asked_for() {
    let shop = Shop::open().await;
    let key = shop.key("ann@example.org").await;
    let (file, other) = (shop.file(&key, "text/plain", "same").await, shop.file(&key, "text/plain", "same").await);
    assert_eq!(shop.files_on_disk(), 2, "equal bytes are not shared");
    assert_eq!(delete(&shop, &key, &file).await.is(200), json!({}));
    assert_eq!(shop.files_on_disk(), 1);
    assert_eq!(shop.get(&path_of(&file["url"]), &[]).await.status, 404);
    assert_eq!(shop.get(&path_of(&other["url"]), &[]).await.bytes, b"same");
    let listed = shop.json("GET", ATTACHMENTS, &key, &Value::Null).await.is(200);
    assert_eq!((listed.as_array().unwrap().len(), &listed[0]["id"]), (1, &other["id"]));
    let listed = shop.json("GET", &format!("{ATTACHMENTS}?removed=true"), &key, &Value::Null).await.is(200);
    assert_eq!((listed.as_array().unwrap().len(), &listed[1]["removed"]), (2, &json!(true)));
    assert_eq!(delete(&shop, &key, &file).await.is(200), json!({}), "removing it again changes nothing");
    assert_eq!(shop.json("GET", &resource(&file), &key, &Value::Null).await.is(200)["removed"], true);
}

#[tokio::test]
async fn an_attachment_that_is_shown_stays() {
    let shop = Shop::open().await;
    let (key, stranger) = (shop.key("ann@example.org").await, shop.key("bob@example.org").await);
    let picture = shop.file(&key, "image/png", "picture").await;
    let made =
        shop.json("POST", EVENTS, &key, &json!({"title": "Gala", "media": {"cover_small": picture["id"]}})).await;
    let event = made.is(200)["id"].as_str().unwrap().to_owned();
    let partner = shop.json("GET", "/v1/resources/partners", &key, &Value::Null).await.is(200)[0]["id"].clone();
    let partner = format!("/v1/resources/partners/{}", partner.as_str().unwrap());
    shop.json("PATCH", &partner, &key, &json!({"media": {"logo": picture["id"]}})).await.is(200);
    assert_eq!(delete(&shop, &stranger, &picture).await.is(404)["code"], "not_found");
    assert_eq!(delete(&shop, &key, &picture).await.is(400)["code"], "attachment_in_use");
    shop.json("PATCH", &partner, &key, &json!({"media": null})).await.is(200);
    let refused = delete(&shop, &key, &picture).await.is(400);
    assert_eq!(refused["code"], "attachment_in_use");
    assert!(refused["reason"].as_str().unwrap().contains(&event), "{refused}");
    assert_eq!(shop.get(&path_of(&picture["url"]), &[]).await.status, 200);
    shop.json("PATCH", &format!("{EVENTS}/{event}"), &key, &json!({"media": {"cover_small": null}})).await.is(200);
    delete(&shop, &key, &picture).await.is(200);
    assert_eq!(shop.files_on_disk(), 0);
    let again = shop.json("PATCH", &partner, &key, &json!({"media": {"logo": picture["id"]}})).await;
    assert_eq!(again.is(400)["code"], "attachment_not_found");
}

#[tokio::test]
async fn bytes_that_a_crash_left_are_deleted_by_housekeeping() {
    let shop = Shop::open().await;
    let key = shop.key("ann@example.org").await;
    let (gone, stays) = (shop.file(&key, "text/plain", "gone").await, shop.file(&key, "text/plain", "stays").await);
    shop.remove(&gone["id"]);
    assert_eq!(shop.files_on_disk(), 2);
    assert_eq!(shop.engine.discard_removed_files().await.unwrap(), 1);
    assert_eq!(shop.files_on_disk(), 1);
    assert_eq!(shop.get(&path_of(&stays["url"]), &[]).await.bytes, b"stays");
    assert_eq!(shop.engine.discard_removed_files().await.unwrap(), 0);
}

#[tokio::test]
async fn a_partner_stores_what_its_quota_allows() {
    let shop = Shop::open().await;
    let (key, other) = (shop.key("ann@example.org").await, shop.key("bob@example.org").await);
    shop.set_quota(&key, QuotaKind::AttachmentBytes, 10).await;
    let first = shop.file(&key, "text/plain", "123456").await;
    let refused = shop.upload(&key, "text/plain", "12345").await.is(400);
    assert_eq!(refused["code"], "quota_exceeded");
    let reason = "The quota of bytes of attachments is 10: 6 are used, and this takes 5 more. The operator of this server can \
                  raise it";
    assert_eq!(refused["reason"], reason);
    assert_eq!(shop.files_on_disk(), 1, "what was refused is not kept");
    shop.file(&key, "text/plain", "1234").await;
    shop.file(&other, "text/plain", "12345678901234").await;
    delete(&shop, &key, &first).await.is(200);
    shop.file(&key, "text/plain", "abcdef").await;
    shop.set_quota(&key, QuotaKind::Attachments, 3).await;
    let refused = shop.upload(&key, "text/plain", "1").await.is(400);
    assert!(refused["reason"].as_str().unwrap().starts_with("The quota of attachments is 3: 3 are used"), "{refused}");
}

/// A PATCH with a key whose answer is about this long, and cannot be compressed.
async fn patch_with_key(shop: &Shop, key: &str, event: &str, name: &str, text: &str) -> crate::shop::Answer {
    let headers = [
        ("authorization", key),
        ("content-type", "application/json"),
        ("host", "kassa.test"),
        ("idempotency-key", name),
    ];
    let body = json!({"title": {"text": "Gala", "desc": text}}).to_string();
    shop.send(crate::shop::request("PATCH", event, &headers, body.into())).await
}

#[tokio::test]
async fn large_answers_under_keys_count_against_a_quota_until_they_are_forgotten() {
    let shop = Shop::open().await;
    let key = shop.key("ann@example.org").await;
    let made = shop.json("POST", EVENTS, &key, &json!({"title": "Gala"})).await.is(200);
    let event = format!("{EVENTS}/{}", made["id"].as_str().unwrap());
    let text = |seed: u8| -> String {
        let mut state = u64::from(seed) + 1;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            char::from_u32(0x4e00 + u32::try_from(state >> 51).unwrap()).unwrap()
        };
        (0..9_900).map(|_| next()).collect()
    };
    shop.set_quota(&key, QuotaKind::AnswerBytes, 30_000).await;
    let first = patch_with_key(&shop, &key, &event, "one", &text(1)).await;
    let first_body = first.is(200);
    let refused = patch_with_key(&shop, &key, &event, "two", &text(2)).await.is(400);
    assert_eq!(refused["code"], "quota_exceeded", "{refused}");
    let seen = shop.json("GET", &event, &key, &Value::Null).await.is(200);
    assert_eq!(seen["title"]["desc"], first_body["title"]["desc"], "what was refused has changed nothing");
    // What was answered is answered again; short answers are kept; and the refusal was not.
    assert_eq!(patch_with_key(&shop, &key, &event, "one", &text(1)).await.bytes, first.bytes);
    assert_eq!(patch_with_key(&shop, &key, &event, "three", "short").await.is(200)["title"]["desc"], "short");
    shop.set_quota(&key, QuotaKind::AnswerBytes, 50_000).await;
    let second = patch_with_key(&shop, &key, &event, "two", &text(2)).await;
    assert_eq!(second.is(200)["title"]["desc"], json!(text(2)));
    assert_eq!(patch_with_key(&shop, &key, &event, "two", &text(2)).await.bytes, second.bytes);
    assert_eq!(patch_with_key(&shop, &key, &event, "four", &text(4)).await.is(400)["code"], "quota_exceeded");
    shop.pass_ms(24 * 60 * 60 * 1000);
    assert_eq!(shop.engine.purge_idempotency_records().await.unwrap(), 3);
    assert_eq!(patch_with_key(&shop, &key, &event, "four", &text(4)).await.is(200)["title"]["desc"], json!(text(4)));
    assert!(shop.engine.verify(VerifyPace::percent(100)).await.unwrap().unwrap().findings.is_empty());
}
