//! Attachments as covers of events and logos of partners.

use serde_json::{Value, json};

use crate::shop::{OPEN_END, Shop, path_of};

const EVENTS: &str = "/v1/resources/events";

fn shown(attachment: &Value) -> Value {
    json!({
        "id": attachment["id"],
        "author": attachment["author"],
        "content_type": attachment["content_type"],
        "length": attachment["length"],
        "md5hash": attachment["md5"],
        "url": attachment["url"],
    })
}

#[tokio::test]
async fn an_event_shows_its_cover_to_everybody() {
    let shop = Shop::open().await;
    let key = shop.key("ann@example.org").await;
    let cover = shop.file(&key, "image/png", "cover").await;
    let body = json!({"title": "Gala", "status": "public", "lifetime": OPEN_END, "media": {"cover": cover["id"]}});
    let made = shop.json("POST", EVENTS, &key, &body).await.is(200);
    assert_eq!(made["media"], json!({"cover": shown(&cover)}));
    let path = format!("{EVENTS}/{}", made["id"].as_str().unwrap());
    for path in [&path, EVENTS] {
        let seen = shop.get(path, &[("host", "kassa.test")]).await.is(200);
        let seen = seen.get(0).unwrap_or(&seen);
        assert_eq!(seen["media"], made["media"]);
        assert_eq!(shop.get(&path_of(&seen["media"]["cover"]["url"]), &[]).await.bytes, b"cover");
    }
}

#[tokio::test]
async fn a_patch_of_pictures_goes_key_by_key() {
    let shop = Shop::open().await;
    let key = shop.key("ann@example.org").await;
    let (one, two) = (shop.file(&key, "image/png", "1").await, shop.file(&key, "image/gif", "2").await);
    let made = shop.json("POST", EVENTS, &key, &json!({"title": "Gala"})).await.is(200);
    assert_eq!(made["media"], json!({}));
    let path = format!("{EVENTS}/{}", made["id"].as_str().unwrap());
    let steps = [
        (
            json!({"cover": one["id"], "cover_small": {"id": two["id"]}}),
            json!({"cover": shown(&one), "cover_small": shown(&two)}),
        ),
        (
            json!({"cover_original": shown(&two), "logo": one["id"]}),
            json!({"cover": shown(&one), "cover_small": shown(&two), "cover_original": shown(&two)}),
        ),
        (
            json!({"cover": null, "cover_small": one["id"]}),
            json!({"cover_small": shown(&one), "cover_original": shown(&two)}),
        ),
        (json!({}), json!({"cover_small": shown(&one), "cover_original": shown(&two)})),
        (json!([]), json!({})),
        (json!({"cover": two["id"]}), json!({"cover": shown(&two)})),
        (Value::Null, json!({})),
    ];
    for (patch, expected) in steps {
        let event = shop.json("PATCH", &path, &key, &json!({"media": patch})).await.is(200);
        assert_eq!(event["media"], expected, "{patch}");
    }
}

#[tokio::test]
async fn a_partner_shows_its_logo_in_its_face_and_in_full() {
    let shop = Shop::open().await;
    let key = shop.key("ann@example.org").await;
    let logo = shop.file(&key, "image/webp", "logo").await;
    let path = format!("/v1/resources/partners/{}", logo["author"].as_str().unwrap());
    let expected = json!({"logo": shown(&logo)});
    let body = json!({"media": {"logo": logo["id"]}});
    assert_eq!(shop.json("PATCH", &path, &key, &body).await.is(200)["media"], expected);
    for headers in [&[("host", "kassa.test")][..], &[("host", "kassa.test"), ("authorization", key.as_str())]] {
        assert_eq!(shop.get(&path, headers).await.is(200)["media"], expected);
        let list = format!("/v1/resources/partners?ids={}", logo["author"].as_str().unwrap());
        assert_eq!(shop.get(&list, headers).await.is(200)[0]["media"], expected);
    }
}

#[tokio::test]
async fn only_ones_own_safe_images_become_pictures() {
    let shop = Shop::open().await;
    let (ann, bob) = (shop.key("ann@example.org").await, shop.key("bob@example.org").await);
    let refuses = async |id: &Value, code: &str| {
        let body = json!({"title": "Gala", "media": {"cover": id}});
        shop.json("POST", EVENTS, &ann, &body).await.refused(400, code);
    };
    refuses(&shop.file(&bob, "image/png", "1").await["id"], "attachment_not_found").await;
    refuses(&json!("6955b900ffffffff00000001"), "attachment_not_found").await;
    refuses(&shop.file(&ann, "image/svg+xml", "1").await["id"], "attachment_not_image").await;
    refuses(&json!("cover"), "invalid_fields").await;
    let removed = shop.file(&ann, "image/png", "1").await["id"].clone();
    shop.remove(&removed);
    refuses(&removed, "attachment_not_found").await;
}
