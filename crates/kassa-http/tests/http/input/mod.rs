//! Bad input gets a clear error of the documented shape, and changes nothing.

mod body;
mod bounds;
mod fields;

use serde_json::{Value, json};

use crate::harness::{Event, Order, Org, PASSWORD, Set, Shop, User};

/// A house in which every kind of thing is there once, to be spoiled.
struct House {
    shop: Shop,
    ann: User,
    org: Org,
    event: Event,
    set: Set,
    order: Order,
    tickets: Vec<String>,
}

impl House {
    async fn open() -> Self {
        let shop = Shop::open().await;
        let ann = shop.user("ann@example.org").await;
        let org = shop.organizer("org@example.org").await;
        let event = org.event("Concert").await;
        let set = event.set(3, "1.00").await;
        let order = org.order(&event, set.random(1)).await;
        let tickets = event.ticket_ids().await;
        Self { shop, ann, org, event, set, order, tickets }
    }

    fn keys(&self) -> String {
        format!("{}/api_keys", self.org.path())
    }

    fn sets(&self) -> String {
        format!("{}/sets", self.event.path)
    }

    /// Everything there is, as those who may see it see it.
    async fn all(&self) -> Value {
        let tickets = format!("{}/tickets", self.event.path);
        let sets = format!("{}?removed=true", self.sets());
        let paths = [&self.keys(), &sets, &tickets, "events?removed=true", "orders", &self.org.path()];
        let mut all = vec![self.ann.get(&self.ann.path()).await.ok()];
        for path in paths {
            all.push(self.org.get(path).await.ok());
        }
        json!(all)
    }

    /// The places that take a body: method, path, and the body of a good request.
    fn places(&self) -> Vec<(&'static str, String, Value)> {
        let key = format!("{}/{}", self.keys(), self.org.key);
        vec![
            ("POST", "users".to_owned(), json!({"email": "new@example.org", "password": PASSWORD})),
            ("POST", "/v1/services/whoami".to_owned(), json!({"email": "ann@example.org", "password": PASSWORD})),
            ("PATCH", self.org.path(), json!({"name": "X"})),
            ("POST", self.keys(), json!({"name": "X"})),
            ("PATCH", key, json!({"name": "X"})),
            ("POST", "events".to_owned(), json!({"title": "X"})),
            ("PATCH", self.event.path.clone(), json!({"title": "X"})),
            ("POST", self.sets(), json!({"name": "X"})),
            ("PATCH", self.set.path.clone(), json!({"name": "X"})),
            ("POST", "orders".to_owned(), json!({"event": self.event.id, "tickets": []})),
            ("PATCH", self.order.path.clone(), json!({"tickets": []})),
        ]
    }
}

/// Sends each body, and wants 400 with the bad field named.
async fn refuses_each(house: &House, method: &str, path: &str, cases: Vec<(Value, &str)>) {
    let before = house.all().await;
    for (body, field) in cases {
        let answer = house.org.json(method, path, &body).await;
        let shown = body.to_string();
        let shown = shown.chars().take(120).collect::<String>();
        assert_eq!(answer.status, 400, "{method} {path} {shown}: {}", String::from_utf8_lossy(&answer.bytes));
        let details = answer.refused(400, "invalid_fields");
        let fields: Vec<&str> =
            details.as_array().unwrap().iter().map(|detail| detail["field"].as_str().unwrap()).collect();
        assert_eq!(fields, [field], "{method} {path} {shown}");
    }
    assert_eq!(house.all().await, before);
}

/// Values that are no line of text of at most 255 characters.
fn no_lines() -> Vec<Value> {
    vec![
        json!(1),
        json!(true),
        json!([]),
        json!({}),
        json!("a\u{0}b"),
        json!("a\nb"),
        json!("\u{85}"),
        json!("x".repeat(256)),
    ]
}
