//! Bodies that are no JSON object, or do not say that they are.

use super::House;

fn nested(depth: usize) -> Vec<u8> {
    format!(r#"{{"name": "X", "x": {}{}}}"#, "[".repeat(depth - 1), "]".repeat(depth - 1)).into_bytes()
}

#[tokio::test]
async fn what_is_no_json_object_is_malformed_everywhere() {
    let house = House::open().await;
    let bodies: Vec<(Vec<u8>, u16, &str)> = vec![
        (b"".to_vec(), 400, "malformed_json"),
        (b"  \n".to_vec(), 400, "malformed_json"),
        (b"{".to_vec(), 400, "malformed_json"),
        (b"{\"name\": \"X\",}".to_vec(), 400, "malformed_json"),
        (b"{\"name\": \"X\"} {}".to_vec(), 400, "malformed_json"),
        (b"{'name': 'X'}".to_vec(), 400, "malformed_json"),
        (b"{\"a\": NaN}".to_vec(), 400, "malformed_json"),
        (b"[]".to_vec(), 400, "malformed_json"),
        (b"null".to_vec(), 400, "malformed_json"),
        (b"\"name\"".to_vec(), 400, "malformed_json"),
        (b"{\"name\": \"\xff\"}".to_vec(), 400, "malformed_json"),
        (b"{\"name\": \"\xed\xa0\x80\"}".to_vec(), 400, "malformed_json"),
        (b"\xef\xbb\xbf{".to_vec(), 400, "malformed_json"),
        (nested(65), 400, "malformed_json"),
        (nested(500_000), 400, "malformed_json"),
        (vec![b' '; 1024 * 1024 + 1], 413, "body_too_large"),
    ];
    let before = house.all().await;
    for (method, path, _) in house.places() {
        for (body, status, code) in &bodies {
            let answer = house.org.send(method, &path, Some("application/json"), body.clone()).await;
            assert_eq!(
                answer.status,
                *status,
                "{method} {path} {:?}",
                String::from_utf8_lossy(&body[..body.len().min(60)])
            );
            answer.refused(*status, code);
        }
    }
    assert_eq!(house.all().await, before);
}

#[tokio::test]
async fn what_is_just_within_the_limits_is_taken() {
    let house = House::open().await;
    let path = house.org.path();
    house.org.send("PATCH", &path, Some("application/json"), nested(64)).await.ok();
    let mut long = br#"{"name": "X"}"#.to_vec();
    long.resize(1024 * 1024, b' ');
    house.org.send("PATCH", &path, Some("application/json"), long).await.ok();
    house.org.send("PATCH", &path, Some("Application/JSON; charset=\"UTF-8\""), b"{}".to_vec()).await.ok();
}

#[tokio::test]
async fn a_body_says_that_it_is_json() {
    let house = House::open().await;
    let before = house.all().await;
    let types = [
        Some("text/plain"),
        Some("application/x-www-form-urlencoded"),
        Some("application/json; charset=latin1"),
        Some("application/jsonx"),
    ];
    for (method, path, body) in house.places() {
        for content_type in types {
            let answer = house.org.send(method, &path, content_type, body.to_string().into_bytes()).await;
            answer.refused(415, "unsupported_media_type");
        }
    }
    assert_eq!(house.all().await, before);
}

#[tokio::test]
async fn a_field_that_stands_twice_is_malformed() {
    let house = House::open().await;
    let body = br#"{"name": "A", "name": "B"}"#.to_vec();
    let answer = house.org.send("PATCH", &house.org.path(), Some("application/json"), body).await;
    answer.refused(400, "malformed_json");
}
