//! `fields-schema` around attachments.

use axum::body::Body;
use serde_json::json;

use crate::shop::{ATTACHMENTS, OPEN_END, Shop, path_of, request};

#[tokio::test]
async fn attachments_show_what_is_asked_for_and_who_made_them() {
    let shop = Shop::open().await;
    let key = shop.key("ann@example.org").await;
    let headers = [("authorization", key.as_str()), ("content-type", "image/png"), ("host", "kassa.test")];
    let schema = "fields-schema=id,url,author%7Bid,media%7D";
    let path = format!("{ATTACHMENTS}?{schema}");
    let made = shop.send(request("POST", &path, &headers, Body::from("logo"))).await.is(200);
    let (id, author) = (made["id"].as_str().unwrap(), made["author"]["id"].as_str().unwrap());
    let file = shop.get(&path_of(&made["url"]), &[]).await;
    assert_eq!((made["author"]["media"].clone(), file.bytes), (json!({}), b"logo".to_vec()));
    let partner = format!("/v1/resources/partners/{author}");
    let media = &shop.json("PATCH", &partner, &key, &json!({"media": {"logo": id}})).await.is(200)["media"];
    assert_eq!(media["logo"]["url"], made["url"]);
    let expected = json!({"id": id, "url": made["url"], "author": {"id": author, "media": media}});
    for path in [format!("{ATTACHMENTS}/{id}"), format!("/v1/resources/attachment/{id}")] {
        assert_eq!(shop.get(&format!("{path}?{schema}"), &headers).await.is(200), expected);
        shop.get(&format!("{path}?fields-schema=token"), &headers).await.refused(400, "bad_fields_schema");
    }
    assert_eq!(shop.get(&path, &headers).await.is(200), json!([expected]));
}

#[tokio::test]
async fn a_cover_has_the_same_url_in_a_reference() {
    let shop = Shop::open().await;
    let key = shop.key("ann@example.org").await;
    let cover = shop.file(&key, "image/png", "cover").await;
    let body = json!({"title": "Gala", "media": {"cover": cover["id"]}});
    let event = shop.json("POST", "/v1/resources/events", &key, &body).await.is(200);
    let sets = format!("/v1/resources/events/{}/sets", event["id"].as_str().unwrap());
    let path = format!("{sets}?fields-schema=event%7Bmedia%7D");
    let body = json!({"name": "Stalls", "amount": 1, "rules": [{"price": "1.00"}]});
    let set = shop.json("POST", &path, &key, &body).await.is(201);
    assert_eq!(set, json!({"event": {"media": event["media"]}}));
    assert_eq!(set["event"]["media"]["cover"]["url"], cover["url"]);
}

#[tokio::test]
async fn pictures_have_fields_to_choose() {
    let shop = Shop::open().await;
    let key = shop.key("ann@example.org").await;
    let headers = [("authorization", key.as_str()), ("host", "kassa.test")];
    let cover = shop.file(&key, "image/png", "cover").await;
    let partner = format!("/v1/resources/partners/{}", cover["author"].as_str().unwrap());
    shop.json("PATCH", &partner, &key, &json!({"name": "Ann", "media": {"logo": cover["id"]}})).await.is(200);
    let body = json!({"title": "Gala", "status": "public", "lifetime": OPEN_END, "media": {"cover": cover["id"]}});
    let event = shop.json("POST", "/v1/resources/events", &key, &body).await.is(200);
    let path = format!("/v1/resources/events/{}", event["id"].as_str().unwrap());
    let url = json!({"url": cover["url"]});
    let cases = [
        (&path, "media{cover{url},cover_small{url}}", json!({"media": {"cover": url}})),
        (&path, "media{cover{author{name}}}", json!({"media": {"cover": {"author": {"name": "Ann"}}}})),
        (&path, "org{media{logo{md5hash}}}", json!({"org": {"media": {"logo": {"md5hash": cover["md5"]}}}})),
        (&partner, "media{logo{url}}", json!({"media": {"logo": url}})),
    ];
    for (path, schema, expected) in cases {
        let schema = schema.replace('{', "%7B").replace('}', "%7D");
        assert_eq!(shop.get(&format!("{path}?fields-schema={schema}"), &headers).await.is(200), expected, "{schema}");
    }
    for schema in ["media%7Blogo%7D", "media%7Bcover%7Btoken%7D%7D", "media%7Bcover%7Burl%7Bx%7D%7D%7D"] {
        let answer = shop.get(&format!("{path}?fields-schema={schema}"), &headers).await;
        answer.refused(400, "bad_fields_schema");
    }
}

#[tokio::test]
async fn a_file_has_no_fields_to_choose() {
    let shop = Shop::open().await;
    let key = shop.key("ann@example.org").await;
    let file = shop.file(&key, "application/json", "{\"id\": 1}").await;
    let got = shop.get(&format!("{}?fields-schema=name", path_of(&file["url"])), &[]).await;
    assert_eq!((got.status, got.bytes), (200, b"{\"id\": 1}".to_vec()));
}
