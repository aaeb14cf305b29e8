//! Users and partners, who are clients.

use std::ops::Deref;

use serde_json::{Value, json};

use super::{EVENING, Event, Order, text};
use crate::client::Client;

/// A user with a session.
#[derive(Clone)]
pub(crate) struct User {
    pub(super) client: Client,
    pub(crate) id: String,
    pub(crate) token: String,
}

impl Deref for User {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl User {
    /// A new partner that it manages.
    pub(crate) async fn partner(&self, name: &str) -> String {
        text(&self.post("partners", json!({"name": name})).await.created()["id"])
    }

    pub(crate) fn path(&self) -> String {
        format!("users/{}", self.id)
    }
}

/// A partner with its key.
#[derive(Clone)]
pub(crate) struct Org {
    pub(super) client: Client,
    pub(crate) id: String,
    pub(crate) token: String,
    pub(crate) key: String,
}

impl Deref for Org {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl Org {
    pub(crate) fn path(&self) -> String {
        format!("partners/{}", self.id)
    }

    /// A public event, in the evening of 2026-06-01.
    pub(crate) async fn event(&self, title: &str) -> Event {
        self.event_with(json!({"title": {"text": title}, "lifetime": EVENING, "status": "public"})).await
    }

    pub(crate) async fn event_with(&self, body: Value) -> Event {
        Event::shown(self, "events", &self.post("events", body).await.ok())
    }

    /// An order that is made as it was asked for.
    pub(crate) async fn order(&self, event: &Event, mut wanted: Value) -> Order {
        wanted["event"] = json!(event.id);
        let made = self.post("orders", wanted).await.created();
        assert_eq!(made["details"], json!([]), "{made}");
        Order::of(self, &made)
    }
}
