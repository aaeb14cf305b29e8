//! The picture and the terms of a shop.

use serde_json::{Value, json};

use crate::shop::{ATTACHMENTS, Shop, path_of};

#[tokio::test]
async fn a_shop_shows_its_own_picture_and_terms_and_they_stay_as_long_as_it_does() {
    let shop = Shop::open().await;
    let (key, other) = (shop.key("ann@example.org").await, shop.key("bo@example.org").await);
    let picture = shop.upload(&key, "image/png", "picture").await.is(200);
    let terms = shop.upload(&key, "application/pdf", "%PDF-").await.is(200);
    let foreign = shop.upload(&other, "image/png", "other").await.is(200);
    let partner = format!("/v1/resources/partners/{}", picture["author"].as_str().unwrap());
    let set = async |header: &Value, file: &Value| {
        let body = json!({"shop": {"header": header["id"], "terms": {"file": file["id"]}}});
        shop.json("PATCH", &partner, &key, &body).await
    };
    for (header, file, code) in [
        (&terms, &terms, "attachment_not_image"),
        (&picture, &picture, "attachment_not_pdf"),
        (&foreign, &terms, "attachment_not_found"),
    ] {
        assert_eq!(set(header, file).await.is(400)["code"], code);
    }
    let shown = set(&picture, &terms).await.is(200)["shop"].clone();
    assert_eq!((&shown["header"]["url"], &shown["terms"]["file"]["url"]), (&picture["url"], &terms["url"]));
    assert_eq!(shop.get(&path_of(&shown["terms"]["file"]["url"]), &[]).await.bytes, b"%PDF-".to_vec());
    for used in [&picture, &terms] {
        let path = format!("{ATTACHMENTS}/{}", used["id"].as_str().unwrap());
        assert_eq!(shop.json("DELETE", &path, &key, &Value::Null).await.is(400)["code"], "attachment_in_use");
    }
    shop.json("PATCH", &partner, &key, &json!({"shop": null})).await.is(200);
    shop.json("DELETE", &format!("{ATTACHMENTS}/{}", terms["id"].as_str().unwrap()), &key, &Value::Null).await.is(200);
}
