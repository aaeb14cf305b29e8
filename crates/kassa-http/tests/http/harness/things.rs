//! What an organizer makes, each with the path by which it is read and changed.

use kassa_domain::order::OrderId;
use serde_json::{Value, json};

use super::{Org, text};

macro_rules! things {
    ($($(#[$doc:meta])* $thing:ident,)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone)]
            pub(crate) struct $thing {
                org: Org,
                pub(crate) id: String,
                pub(crate) path: String,
            }

            impl $thing {
                /// The thing of this body, which lies in the list at `list`.
                pub(super) fn shown(org: &Org, list: &str, body: &Value) -> Self {
                    let id = text(&body["id"]);
                    Self { org: org.clone(), path: format!("{list}/{id}"), id }
                }

                pub(crate) async fn now(&self) -> Value {
                    self.org.get(&self.path).await.ok()
                }

                pub(crate) async fn patch(&self, body: Value) -> Value {
                    self.org.patch(&self.path, body).await.ok()
                }
            }
        )*
    };
}

things! {
    /// An event of an organizer.
    Event,
    /// A set of an event.
    Set,
    /// A promocode of an event.
    Promocode,
    /// A promotion of an event.
    Promotion,
    /// An order of an organizer.
    Order,
}

impl Event {
    pub(crate) async fn set(&self, amount: u32, price: &str) -> Set {
        self.set_with(json!({"name": "Parterre", "amount": amount, "price": price})).await
    }

    pub(crate) async fn set_with(&self, body: Value) -> Set {
        let sets = format!("{}/sets", self.path);
        Set::shown(&self.org, &sets, &self.org.post(&sets, body).await.created())
    }

    /// A promocode with this code and discount, and whatever else the body says.
    pub(crate) async fn promocode(&self, code: &str, discount: Value, mut body: Value) -> Promocode {
        (body["code"], body["discount"]) = (json!(code), discount);
        let promocodes = format!("{}/promocodes", self.path);
        Promocode::shown(&self.org, &promocodes, &self.org.post(&promocodes, body).await.created())
    }

    /// A promotion by count of percentages from now on, unless the body says otherwise.
    pub(crate) async fn promotion(&self, levels: Value, body: &Value) -> Promotion {
        let mut new = json!({"lifetime": {}, "by": "count", "kind": "percentage", "levels": levels});
        new.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
        let promotions = format!("{}/promotions", self.path);
        Promotion::shown(&self.org, &promotions, &self.org.post(&promotions, new).await.created())
    }

    /// All its tickets, as the organizer sees them.
    pub(crate) async fn tickets(&self) -> Vec<Value> {
        self.org.get(&format!("{}/tickets", self.path)).await.ok().as_array().unwrap().clone()
    }

    /// The ids of its tickets.
    pub(crate) async fn ticket_ids(&self) -> Vec<String> {
        self.tickets().await.iter().map(|ticket| text(&ticket["id"])).collect()
    }
}

impl Set {
    /// `(amount, amount_vacant)`.
    pub(crate) async fn amounts(&self) -> (i64, i64) {
        let set = self.now().await;
        (set["amount"].as_i64().unwrap(), set["amount_vacant"].as_i64().unwrap())
    }

    /// A wish for so many of its tickets.
    pub(crate) fn random(&self, count: u32) -> Value {
        json!({"random": {&self.id: count}})
    }
}

impl Promocode {
    /// `[reserved, used]`.
    pub(crate) async fn uses(&self) -> [i64; 2] {
        let counter = self.now().await["counter"].clone();
        ["reserved", "used"].map(|name| counter[name].as_i64().unwrap())
    }
}

impl Order {
    pub(crate) fn of(org: &Org, order: &Value) -> Self {
        let made = Self::shown(org, "orders", order);
        assert!(made.id.parse::<OrderId>().is_ok());
        made
    }

    pub(crate) async fn status(&self) -> String {
        text(&self.now().await["status"])
    }

    pub(crate) async fn refuses(&self, body: Value, status: u16, code: &str) {
        self.org.patch(&self.path, body).await.refused(status, code);
    }

    pub(crate) async fn becomes(&self, status: &str) -> Value {
        let order = self.patch(json!({"status": status})).await;
        assert_eq!(order["status"], status);
        order
    }

    pub(crate) async fn tickets(&self) -> Vec<String> {
        tickets_of(&self.now().await)
    }
}

/// The ticket ids of an order.
pub(crate) fn tickets_of(order: &Value) -> Vec<String> {
    order["tickets"].as_array().unwrap().iter().map(text).collect()
}
