//! Short requests that say a great many values: they are refused as others are, in a few words.

use serde_json::{Value, json};

use super::House;
use crate::client::Answer;

/// An answer that names a hundred fields, and says that there are more.
fn names_a_hundred(answer: Answer) {
    assert!(answer.bytes.len() < 64 * 1024, "{}", answer.bytes.len());
    let reason = answer.error()["reason"].to_string();
    assert!(reason.contains("More than 100 fields"), "{reason}");
    assert_eq!(answer.refused(400, "invalid_fields").as_array().unwrap().len(), 100);
}

fn zeros(count: usize) -> Value {
    vec![0; count].into()
}

#[tokio::test]
async fn what_is_wrong_is_told_up_to_a_hundred_fields() {
    let house = House::open().await;
    let (org, before) = (&house.org, house.all().await);
    let venue = org.post("venues", json!({"name": "Opera"})).await.created();
    let maps = format!("venues/{}/maps", venue["id"].as_str().unwrap());
    // These are so long that they are parsed elsewhere.
    let sectors = vec![json!({"name": "a", "rows": zeros(10_000)}); 5];
    names_a_hundred(org.post(&maps, json!({"name": "X", "sectors": sectors})).await);
    let rows: serde_json::Map<String, Value> = (0..10).map(|row| (row.to_string(), zeros(9_999))).collect();
    names_a_hundred(org.post(&house.sets(), json!({"name": "X", "seats": rows})).await);
    // And this is short.
    names_a_hundred(org.post("orders", json!({"event": house.event.id, "tickets": zeros(101)})).await);
    let sectors = org.post(&maps, json!({"name": "X", "sectors": zeros(100_000)})).await;
    let details = sectors.refused(400, "invalid_fields");
    assert_eq!(details.as_array().unwrap().len(), 1, "nothing but that they are too many");
    let long = org.post(&house.sets(), json!({"name": "X", "seats": {"x".repeat(100_000): []}})).await;
    assert!(long.bytes.len() < 2_000);
    long.refused(400, "invalid_fields");
    assert_eq!(house.all().await, before);
}

#[tokio::test]
async fn a_query_is_refused_in_a_few_words() {
    let house = House::open().await;
    let stranger = house.shop.anonymous();
    for name in ["status", "ids"] {
        let answer = stranger.get(&format!("events?{name}={}", vec!["x"; 30_000].join(","))).await;
        assert!(answer.bytes.len() < 64 * 1024, "{name}: {}", answer.bytes.len());
        let details = answer.refused(400, "invalid_fields");
        assert_eq!(details.as_array().unwrap().len(), 1, "{name}");
    }
    names_a_hundred(stranger.get(&format!("events?status={}", vec!["x"; 1_000].join(","))).await);
}
