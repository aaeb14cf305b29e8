//! Somebody who does to orders what can be done, and remembers what it was told.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use ureq::http::Method;

use crate::buyers::SeededRandom;
use crate::client::{Client, items, text};

const ORDERS_PATH: &str = "/v1/resources/orders";
const REFUND_REQUESTS_PATH: &str = "/v1/resources/refund_requests";
/// A promocode of the event.
pub(super) const PROMOCODE: &str = "SPRING";

/// One of a crowd.
pub(super) struct OrderActor<'a> {
    pub(super) client: Client,
    pub(super) event: String,
    /// Without seats, and with them.
    pub(super) sets: [String; 2],
    pub(super) dice: SeededRandom,
    /// Requests that were answered, to whomever.
    pub(super) answered: &'a AtomicUsize,
}

/// An order that was answered.
#[derive(Debug)]
pub(crate) struct TrackedOrder {
    order: String,
    number: i64,
    tickets: Vec<String>,
    /// Its status, as it was last told.
    confirmed_status: &'static str,
    /// The status that was asked for and not answered.
    unanswered_status: Option<&'static str>,
}

impl OrderActor<'_> {
    /// Acts until the server is gone.
    pub(super) fn run(mut self) -> Vec<TrackedOrder> {
        let mut deeds = Vec::new();
        while let Some(mut deed) = self.reserve() {
            let is_cut = self.advance(&mut deed).is_none();
            deeds.push(deed);
            if is_cut {
                break;
            }
        }
        deeds
    }

    /// The answer to a request, if it comes. Whatever else the server says but a success is a mistake.
    fn request(&self, method: &Method, path: &str, body: &Value) -> Option<Value> {
        let answer = self.client.send(method, path, Some(body)).ok()?;
        self.answered.fetch_add(1, Ordering::Relaxed);
        Some(answer.success_body())
    }

    /// A new order, of one set or both, every third with a code.
    fn reserve(&mut self) -> Option<TrackedOrder> {
        let counts = [self.dice.below(3), self.dice.below(4)];
        let wanted = self.sets.iter().zip(counts).map(|(set, count)| (set.clone(), json!(count)));
        let random: serde_json::Map<String, Value> = wanted.collect();
        let order = self.request(&Method::POST, ORDERS_PATH, &json!({"event": self.event, "random": random}))?;
        let deed = TrackedOrder {
            order: text(&order["id"]),
            number: order["number"].as_i64().unwrap(),
            tickets: items(&order["tickets"]).iter().map(text).collect(),
            confirmed_status: "executed",
            unanswered_status: None,
        };
        Some(deed)
    }

    /// What becomes of it; `None` when the server is gone.
    fn advance(&mut self, deed: &mut TrackedOrder) -> Option<()> {
        let path = format!("{ORDERS_PATH}/{}", deed.order);
        if !deed.tickets.is_empty() && self.dice.below(3) == 0 {
            self.request(&Method::PATCH, &path, &json!({"promocodes": [PROMOCODE]}))?;
        }
        match self.dice.below(8) {
            // It waits for its end.
            0 if !deed.tickets.is_empty() => Some(()),
            1 | 2 => self.set_status(deed, "canceled"),
            _ if deed.tickets.is_empty() => self.set_status(deed, "canceled"),
            _ => {
                self.set_status(deed, "done")?;
                // Most of what was sold is given back: the next shall find something.
                if self.dice.below(4) > 0 { self.request_refund(deed) } else { Some(()) }
            }
        }
    }

    fn set_status(&self, deed: &mut TrackedOrder, status: &'static str) -> Option<()> {
        deed.unanswered_status = Some(status);
        let body = json!({"status": status, "customer": {"email": "buyer@example.org"}});
        let order = self.request(&Method::PATCH, &format!("{ORDERS_PATH}/{}", deed.order), &body)?;
        assert_eq!(order["status"], status);
        (deed.confirmed_status, deed.unanswered_status) = (status, None);
        Some(())
    }

    fn request_refund(&self, deed: &mut TrackedOrder) -> Option<()> {
        let request = json!({"order": deed.order, "culprit": "org", "tickets": []});
        let request = text(&self.request(&Method::POST, REFUND_REQUESTS_PATH, &request)?["id"]);
        deed.unanswered_status = Some("refunded");
        self.request(&Method::PATCH, &format!("{REFUND_REQUESTS_PATH}/{request}"), &json!({"status": "approved"}))?;
        (deed.confirmed_status, deed.unanswered_status) = ("refunded", None);
        Some(())
    }
}

impl TrackedOrder {
    /// Sees that it is as it was told, or as it was asked to be; from now on it is what it is. Tells its status.
    #[track_caller]
    pub(super) fn reconcile(&mut self, client: &Client) -> &'static str {
        let order = client.get(&format!("{ORDERS_PATH}/{}", self.order)).success_body();
        let status = [Some(self.confirmed_status), self.unanswered_status]
            .into_iter()
            .flatten()
            .find(|status| order["status"] == *status);
        let status = status.unwrap_or_else(|| panic!("{self:?} is {order}"));
        assert_eq!(order["number"], self.number, "{self:?} is {order}");
        let tickets: Vec<String> = items(&order["tickets"]).iter().map(text).collect();
        let expected = if status == "refunded" { &Vec::new() } else { &self.tickets };
        assert_eq!(&tickets, expected, "{self:?} is {order}");
        (self.confirmed_status, self.unanswered_status) = (status, None);
        status
    }

    /// Whether nothing can become of it any more.
    pub(super) fn is_final(&self) -> bool {
        matches!(self.confirmed_status, "canceled" | "refunded")
    }
}
