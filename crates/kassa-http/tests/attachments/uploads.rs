//! Files on their way in.

use axum::body::{Body, Bytes};
use http_body_util::channel::Channel;
use kassa_http::HttpConfig;
use serde_json::{Value, json};

use crate::shop::{ATTACHMENTS, BYTES_MAX, Shop, path_of, request};

const LONG: usize = 5 * 1024 * 1024 + 7;
const MD5_OF_LONG: &str = "f0764ecac07abc0ff61c828cf4c12bd2";

fn long() -> Vec<u8> {
    (0..=250_u8).cycle().take(LONG).collect()
}

/// A body that comes in pieces; it breaks off in the end when it is told to.
fn streamed(bytes: Vec<u8>, breaks: bool) -> Body {
    let (mut sender, body) = Channel::<Bytes, std::io::Error>::new(1);
    tokio::spawn(async move {
        for piece in bytes.chunks(70_001) {
            if sender.send_data(piece.to_vec().into()).await.is_err() {
                return;
            }
        }
        if breaks {
            sender.abort(std::io::ErrorKind::ConnectionReset.into());
        }
    });
    Body::new(body)
}

#[tokio::test]
async fn what_was_uploaded_comes_back_byte_for_byte() {
    let shop = Shop::open().await;
    let key = shop.key("ann@example.org").await;
    let made = shop.upload(&key, "application/x-long", streamed(long(), false)).await.is(200);
    assert_eq!((made["length"].as_u64(), made["md5"].as_str()), (Some(LONG as u64), Some(MD5_OF_LONG)));
    let file = shop.get(&path_of(&made["url"]), &[]).await;
    assert_eq!((file.status, file.header("content-length")), (200, LONG.to_string().as_str()));
    assert!(file.bytes == long());
}

#[tokio::test]
async fn an_attachment_is_shown_to_its_author_alone() {
    let shop = Shop::open().await;
    let (ann, bob) = (shop.key("ann@example.org").await, shop.key("bob@example.org").await);
    let made = shop.file(&ann, "text/plain; charset=utf-8", "abc").await;
    let mut keys: Vec<&String> = made.as_object().unwrap().keys().collect();
    keys.sort();
    let expected = ["author", "content_type", "created_at", "id", "length", "md5", "removed", "updated_at", "url"];
    assert_eq!(keys, expected);
    assert_eq!(made["md5"], "900150983cd24fb0d6963f7d28e17f72");
    assert_eq!(made["content_type"], "text/plain; charset=utf-8");
    assert_eq!((&made["length"], &made["removed"]), (&json!(3), &json!(false)));
    for place in [ATTACHMENTS, "/v1/resources/attachment"] {
        let path = format!("{place}/{}", made["id"].as_str().unwrap());
        let own = shop.get(&path, &[("authorization", &ann), ("host", "kassa.test")]).await;
        assert_eq!(own.is(200), made);
        shop.get(&path, &[("authorization", &bob)]).await.refused(404, "not_found");
        shop.get(&path, &[]).await.refused(401, "credential_required");
    }
}

#[tokio::test]
async fn a_list_shows_ones_own_newest_first() {
    let shop = Shop::open().await;
    let (ann, bob) = (shop.key("ann@example.org").await, shop.key("bob@example.org").await);
    let mut made: Vec<Value> = Vec::new();
    for text in ["one", "two", "three"] {
        made.push(shop.file(&ann, "text/plain", text).await["id"].clone());
        shop.file(&bob, "text/plain", text).await;
    }
    shop.remove(&made[1]);
    let named = format!("ids={}", made[0].as_str().unwrap());
    let cases = [
        ("", vec![2, 0], "2"),
        ("removed=true", vec![2, 1, 0], "3"),
        ("limit=1&offset=1", vec![0], "2"),
        (named.as_str(), vec![0], "1"),
    ];
    for (query, expected, total) in cases {
        let answer = shop.get(&format!("{ATTACHMENTS}?{query}"), &[("authorization", &ann)]).await;
        let ids: Vec<Value> = answer.is(200).as_array().unwrap().iter().map(|item| item["id"].clone()).collect();
        let expected: Vec<Value> = expected.into_iter().map(|at: usize| made[at].clone()).collect();
        assert_eq!((ids, answer.header("total")), (expected, total), "{query}");
    }
    shop.get(ATTACHMENTS, &[]).await.refused(401, "credential_required");
}

#[tokio::test]
async fn a_file_that_is_too_long_is_read_and_nothing_of_it_is_kept() {
    let shop = Shop::open().await;
    let key = shop.key("ann@example.org").await;
    let answer = shop.upload(&key, "image/png", streamed(vec![7; BYTES_MAX + 1], false)).await;
    answer.refused(413, "body_too_large");
    shop.has_nothing(&key).await;
    let longest = shop.upload(&key, "image/png", streamed(vec![7; BYTES_MAX], false)).await;
    assert_eq!(longest.is(200)["length"], BYTES_MAX);
}

#[tokio::test]
async fn a_body_that_is_not_what_it_says_is_refused_and_nothing_is_kept() {
    let shop = Shop::open().await;
    let key = shop.key("ann@example.org").await;
    shop.upload(&key, "text/plain", streamed(long(), true)).await.refused(400, "broken_body");
    shop.upload(&key, "text/plain", Body::empty()).await.refused(400, "empty_body");
    for said in ["2", "4", "x"] {
        let headers = [("authorization", key.as_str()), ("content-type", "text/plain"), ("content-length", said)];
        shop.send(request("POST", ATTACHMENTS, &headers, "abc".into())).await.refused(400, "length_mismatch");
    }
    let headers = [("authorization", key.as_str()), ("content-type", "text/plain"), ("content-length", "9999999")];
    shop.send(request("POST", ATTACHMENTS, &headers, streamed(long(), false))).await.refused(400, "length_mismatch");
    shop.has_nothing(&key).await;
}

#[tokio::test]
async fn a_client_that_goes_away_leaves_nothing() {
    let shop = Shop::open().await;
    let key = shop.key("ann@example.org").await;
    let (mut sender, body) = Channel::<Bytes, std::io::Error>::new(1);
    let upload = shop.upload(&key, "text/plain", Body::new(body));
    let part = async {
        for _ in 0..9 {
            sender.send_data(vec![7; 70_000].into()).await.unwrap();
        }
        while shop.files_on_disk() == 0 {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        _ = upload => panic!("the file has not ended"),
        () = part => {}
    }
    while shop.files_on_disk() > 0 {
        tokio::time::sleep(std::time::Duration::from_millis(1)).await;
    }
    shop.has_nothing(&key).await;
}

#[tokio::test]
async fn the_kind_of_a_file_must_be_said() {
    let shop = Shop::open().await;
    let key = shop.key("ann@example.org").await;
    for content_type in ["", "image", "image/png/x", "text/plain; charset"] {
        shop.upload(&key, content_type, "abc").await.refused(415, "unsupported_media_type");
    }
    let headers = [("authorization", key.as_str())];
    shop.send(request("POST", ATTACHMENTS, &headers, "abc".into())).await.refused(415, "unsupported_media_type");
    let nobody = [("content-type", "text/plain")];
    shop.send(request("POST", ATTACHMENTS, &nobody, "abc".into())).await.refused(401, "credential_required");
    shop.has_nothing(&key).await;
}

#[tokio::test]
async fn a_user_uploads_for_a_partner_and_what_is_wrong_with_the_body_is_said_first() {
    let shop = Shop::with(HttpConfig { attachment_bytes_max: 10, ..HttpConfig::default() }).await;
    let credentials = json!({"email": "carol@example.org", "password": "correct horse"});
    shop.json("POST", "/v1/resources/users", "", &credentials).await;
    let session = [("content-type", "application/json")];
    let whoami = request("POST", "/v1/services/whoami", &session, credentials.to_string().into());
    let answer = shop.send(whoami).await;
    let cookie = answer.header("set-cookie").split(';').next().unwrap().to_owned();
    let upload = |body: &'static str| {
        let headers = [("cookie", cookie.as_str()), ("content-type", "text/plain")];
        shop.send(request("POST", ATTACHMENTS, &headers, body.into()))
    };
    upload("longer than ten").await.refused(413, "body_too_large");
    upload("").await.refused(400, "empty_body");
    upload("abc").await.refused(400, "partner_required");
    assert_eq!(shop.files_on_disk(), 0);
}

/// A part of a form: the name, the file name, the type, the bytes.
type FormPart<'a> = (&'a str, Option<&'a str>, Option<&'a str>, &'a [u8]);

fn form(parts: &[FormPart<'_>]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, file, content_type, bytes) in parts {
        let file = file.map(|file| format!("; filename=\"{file}\"")).unwrap_or_default();
        let content_type = content_type.map(|text| format!("Content-Type: {text}\r\n")).unwrap_or_default();
        let head = format!("--edge\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n{content_type}\r\n");
        body.extend(head.into_bytes());
        body.extend(*bytes);
        body.extend(b"\r\n");
    }
    body.extend(b"--edge--\r\n");
    body
}

const FORM: &str = "multipart/form-data; boundary=edge";

#[tokio::test]
async fn the_one_file_of_a_form_is_unpacked() {
    let shop = Shop::open().await;
    let key = shop.key("ann@example.org").await;
    let whole = long();
    let parts = [
        ("comment", None, None, &b"for the wall"[..]),
        ("file", Some("poster.png"), Some("image/png"), whole.as_slice()),
    ];
    let made = shop.upload(&key, FORM, streamed(form(&parts), false)).await.is(200);
    assert_eq!((&made["content_type"], made["md5"].as_str()), (&json!("image/png"), Some(MD5_OF_LONG)));
    assert_eq!(made["length"].as_u64(), Some(LONG as u64));
    let untyped = shop.upload(&key, FORM, form(&[("file", Some("x"), None, b"abc")])).await.is(200);
    assert_eq!((&untyped["content_type"], &untyped["length"]), (&json!("application/octet-stream"), &json!(3)));
}

#[tokio::test]
async fn a_form_without_one_file_is_refused_and_nothing_is_kept() {
    let shop = Shop::open().await;
    let key = shop.key("ann@example.org").await;
    let file = ("file", Some("a.png"), Some("image/png"), &b"abc"[..]);
    let long = vec![7; BYTES_MAX + 1];
    let cases = [
        (form(&[file, file]), 400, "multipart_files"),
        (form(&[("text", None, None, b"abc")]), 400, "multipart_files"),
        (form(&[("file", Some("a.png"), None, b"")]), 400, "empty_body"),
        (form(&[("file", Some("a.png"), Some("no type"), b"abc")]), 415, "unsupported_media_type"),
        (form(&[("file", Some("a.png"), Some("image/png"), &long)]), 413, "body_too_large"),
        (form(&[file, ("text", None, None, &long)]), 413, "body_too_large"),
        (b"--edge\r\nno form".to_vec(), 400, "malformed_multipart"),
    ];
    for (body, status, code) in cases {
        shop.upload(&key, FORM, streamed(body, false)).await.refused(status, code);
    }
    let mut cut = form(&[file]);
    cut.truncate(cut.len() - 9);
    shop.upload(&key, FORM, streamed(cut, true)).await.refused(400, "broken_body");
    for content_type in ["multipart/form-data", "multipart/mixed; boundary=edge"] {
        shop.upload(&key, content_type, form(&[file])).await.refused(415, "unsupported_media_type");
    }
    shop.has_nothing(&key).await;
}
