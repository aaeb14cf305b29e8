//! Version 2, beside version 1 over the same shop.

pub(crate) mod availability;
pub(crate) mod availability_stream;
pub(crate) mod changes;
mod checkout;
pub(crate) mod documents;
pub(crate) mod export;
pub(crate) mod history;
pub(crate) mod key_requests;
pub(crate) mod life;
pub(crate) mod list;
pub(crate) mod managers;
pub(crate) mod order_links;
pub(crate) mod orders;
pub(crate) mod payments;
pub(crate) mod platform;
pub(crate) mod promocodes;
pub(crate) mod quote;
mod reads;
pub(crate) mod refunds;
pub(crate) mod sales;
mod seats;
mod shopping;
pub(crate) mod statements;
mod stripe;
pub(crate) mod stripe_accounts;
pub(crate) mod texts;
pub(crate) mod user_data;
pub(crate) mod webhooks;
pub(crate) mod widget_tokens;

use serde_json::{Value, json};

use crate::harness::{Event, Org, Set, Shop, text};

/// Where orders are.
pub(crate) const ORDERS: &str = "/v2/resources/orders";

/// The path of an order.
pub(crate) fn at(order: &Value) -> String {
    format!("{ORDERS}/{}", text(&order["data"]["id"]))
}

/// The statuses of a list, or of a page of it.
pub(crate) fn numbers(list: &Value) -> Vec<i64> {
    list["data"].as_array().unwrap().iter().map(|order| order["number"].as_i64().unwrap()).collect()
}

/// An event with a set of nine tickets of 100.00.
pub(crate) async fn given(shop: &Shop) -> (Org, Event, Set) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(9, "100.00").await;
    (org, event, set)
}

impl Org {
    /// A new order, as it is answered.
    pub(crate) async fn order_v2(&self, event: &Event, mut body: Value) -> Value {
        body["event"] = json!(event.id);
        self.post(ORDERS, body).await.ok()
    }
}
