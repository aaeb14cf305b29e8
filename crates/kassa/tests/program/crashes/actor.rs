//! Somebody who does to orders what can be done, and remembers what it was told.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use ureq::http::Method;

use crate::client::{Client, items, text};
use crate::crowd::Dice;

const ORDERS: &str = "/v1/resources/orders";
const REQUESTS: &str = "/v1/resources/refund_requests";
/// A promocode of the event.
pub(super) const CODE: &str = "SPRING";

/// One of a crowd.
pub(super) struct Actor<'a> {
    pub(super) client: Client,
    pub(super) event: String,
    /// Without seats, and with them.
    pub(super) sets: [String; 2],
    pub(super) dice: Dice,
    /// Requests that were answered, to whomever.
    pub(super) answered: &'a AtomicUsize,
}

/// An order that was answered.
#[derive(Debug)]
pub(super) struct Deed {
    order: String,
    number: i64,
    tickets: Vec<String>,
    /// Its status, as it was last told.
    told: &'static str,
    /// The status that was asked for and not answered.
    asked: Option<&'static str>,
}

impl Actor<'_> {
    /// Acts until the server is gone.
    pub(super) fn act(mut self) -> Vec<Deed> {
        let mut deeds = Vec::new();
        while let Some(mut deed) = self.reserve() {
            let is_cut = self.go_on(&mut deed).is_none();
            deeds.push(deed);
            if is_cut {
                break;
            }
        }
        deeds
    }

    /// The answer to a request, if it comes. Whatever else the server says but a success is a mistake.
    fn ask(&self, method: &Method, path: &str, body: &Value) -> Option<Value> {
        let answer = self.client.send(method, path, Some(body)).ok()?;
        self.answered.fetch_add(1, Ordering::Relaxed);
        Some(answer.ok())
    }

    /// A new order, of one set or both, every third with a code.
    fn reserve(&mut self) -> Option<Deed> {
        let counts = [self.dice.below(3), self.dice.below(4)];
        let wanted = self.sets.iter().zip(counts).map(|(set, count)| (set.clone(), json!(count)));
        let random: serde_json::Map<String, Value> = wanted.collect();
        let order = self.ask(&Method::POST, ORDERS, &json!({"event": self.event, "random": random}))?;
        let deed = Deed {
            order: text(&order["id"]),
            number: order["number"].as_i64().unwrap(),
            tickets: items(&order["tickets"]).iter().map(text).collect(),
            told: "executed",
            asked: None,
        };
        Some(deed)
    }

    /// What becomes of it; `None` when the server is gone.
    fn go_on(&mut self, deed: &mut Deed) -> Option<()> {
        let path = format!("{ORDERS}/{}", deed.order);
        if !deed.tickets.is_empty() && self.dice.below(3) == 0 {
            self.ask(&Method::PATCH, &path, &json!({"promocodes": [CODE]}))?;
        }
        match self.dice.below(8) {
            // It waits for its end.
            0 if !deed.tickets.is_empty() => Some(()),
            1 | 2 => self.step(deed, "canceled"),
            _ if deed.tickets.is_empty() => self.step(deed, "canceled"),
            _ => {
                self.step(deed, "done")?;
                // Most of what was sold is given back: the next shall find something.
                if self.dice.below(4) > 0 { self.give_back(deed) } else { Some(()) }
            }
        }
    }

    fn step(&self, deed: &mut Deed, status: &'static str) -> Option<()> {
        deed.asked = Some(status);
        let body = json!({"status": status, "customer": {"email": "buyer@example.org"}});
        let order = self.ask(&Method::PATCH, &format!("{ORDERS}/{}", deed.order), &body)?;
        assert_eq!(order["status"], status);
        (deed.told, deed.asked) = (status, None);
        Some(())
    }

    fn give_back(&self, deed: &mut Deed) -> Option<()> {
        let wish = json!({"order": deed.order, "culprit": "org", "tickets": []});
        let request = text(&self.ask(&Method::POST, REQUESTS, &wish)?["id"]);
        deed.asked = Some("refunded");
        self.ask(&Method::PATCH, &format!("{REQUESTS}/{request}"), &json!({"status": "approved"}))?;
        (deed.told, deed.asked) = ("refunded", None);
        Some(())
    }
}

impl Deed {
    /// Sees that it is as it was told, or as it was asked to be; from now on it is what it is. Tells its status.
    #[track_caller]
    pub(super) fn stands(&mut self, client: &Client) -> &'static str {
        let order = client.get(&format!("{ORDERS}/{}", self.order)).ok();
        let status = [Some(self.told), self.asked].into_iter().flatten().find(|status| order["status"] == *status);
        let status = status.unwrap_or_else(|| panic!("{self:?} is {order}"));
        assert_eq!(order["number"], self.number, "{self:?} is {order}");
        let tickets: Vec<String> = items(&order["tickets"]).iter().map(text).collect();
        let expected = if status == "refunded" { &Vec::new() } else { &self.tickets };
        assert_eq!(&tickets, expected, "{self:?} is {order}");
        (self.told, self.asked) = (status, None);
        status
    }

    /// Whether nothing can become of it any more.
    pub(super) fn is_over(&self) -> bool {
        matches!(self.told, "canceled" | "refunded")
    }
}
