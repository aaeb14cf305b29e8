//! Buyers, all at once, each on a connection of its own.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde_json::{Value, json};
use ureq::http::Method;

use crate::client::{Client, HttpResponse, items, text};
use crate::sale::Sale;
use crate::server::Server;

/// Buyers at a time.
pub(crate) const BUYERS: u32 = 64;

/// An order that was answered.
#[derive(Clone, Debug)]
pub(crate) struct AnsweredOrder {
    pub(crate) id: String,
    pub(crate) number: i64,
    pub(crate) wanted: usize,
    pub(crate) all_or_nothing: bool,
    pub(crate) tickets: Vec<String>,
    pub(crate) details: Value,
    pub(crate) payment: PaymentAttempt,
}

impl AnsweredOrder {
    /// As the answer tells it.
    pub(crate) fn new(order: &Value, wanted: usize, all_or_nothing: bool) -> Self {
        Self {
            id: text(&order["id"]),
            number: order["number"].as_i64().unwrap(),
            wanted,
            all_or_nothing,
            tickets: items(&order["tickets"]).iter().map(text).collect(),
            details: order["details"].clone(),
            payment: PaymentAttempt::NotAttempted,
        }
    }
}

/// Asks for an order of so many tickets.
pub(crate) fn request_order(
    client: &Client,
    sale: &Sale,
    wanted: usize,
    all_or_nothing: bool,
) -> Result<HttpResponse, ureq::Error> {
    let random = json!({ sale.set.as_str(): wanted });
    let body = json!({ "event": sale.event, "random": random, "all_or_nothing": all_or_nothing });
    client.send(&Method::POST, "/v1/resources/orders", Some(&body))
}

/// Asks for an order to be done.
pub(crate) fn pay(client: &Client, order: &str) -> Result<HttpResponse, ureq::Error> {
    let body = json!({"status": "done", "customer": {"email": "buyer@example.org"}});
    client.send(&Method::PATCH, &format!("/v1/resources/orders/{order}"), Some(&body))
}

/// How far a buyer came with paying.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PaymentAttempt {
    /// It did not try.
    NotAttempted,
    /// It tried, and got no answer.
    Unanswered,
    /// It was told that the order is done.
    Confirmed,
}

/// Sells until nothing is left or the server is gone, and gives all orders that were answered.
/// `meanwhile` gets the counter of the orders that were answered so far.
pub(crate) fn sell_out(server: &Server, sale: &Sale, meanwhile: impl FnOnce(&AtomicUsize)) -> Vec<AnsweredOrder> {
    let (answered, bought) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for seed in 0..BUYERS {
            let buyer = Buyer { client: sale.client(server), sale, dice: SeededRandom(seed) };
            let (answered, bought) = (&answered, &bought);
            scope.spawn(move || {
                let mine = buyer.buy(answered);
                bought.lock().unwrap().extend(mine);
            });
        }
        meanwhile(&answered);
    });
    bought.into_inner().unwrap()
}

struct Buyer<'a> {
    client: Client,
    sale: &'a Sale,
    dice: SeededRandom,
}

impl Buyer<'_> {
    /// Orders one to three tickets at a time, and pays every third order. When something is short,
    /// it asks for single tickets until there are none.
    fn buy(mut self, answered: &AtomicUsize) -> Vec<AnsweredOrder> {
        let (mut mine, mut short) = (Vec::new(), false);
        loop {
            let wanted = if short { 1 } else { 1 + self.dice.below(3) };
            let all_or_nothing = self.dice.below(2) == 0;
            let Some(mut order) = self.order(wanted, all_or_nothing) else { return mine };
            answered.fetch_add(1, Ordering::Relaxed);
            if !order.tickets.is_empty() && self.dice.below(3) == 0 {
                order.payment = self.pay(&order.id);
            }
            let (none, cut) = (order.tickets.is_empty(), order.payment == PaymentAttempt::Unanswered);
            short |= order.tickets.len() < wanted;
            mine.push(order);
            if (none && wanted == 1) || cut {
                return mine;
            }
        }
    }

    /// `None` when the server is gone. Whatever else it says but 201 is a mistake of the server.
    fn order(&self, wanted: usize, all_or_nothing: bool) -> Option<AnsweredOrder> {
        let answer = request_order(&self.client, self.sale, wanted, all_or_nothing).ok()?;
        assert_eq!(answer.status, 201, "{answer:?}");
        Some(AnsweredOrder::new(&answer.body, wanted, all_or_nothing))
    }

    fn pay(&self, order: &str) -> PaymentAttempt {
        match pay(&self.client, order) {
            Ok(answer) => {
                assert_eq!((answer.status, &answer.body["status"]), (200, &json!("done")), "{answer:?}");
                PaymentAttempt::Confirmed
            }
            Err(_) => PaymentAttempt::Unanswered,
        }
    }
}

/// Numbers that look random, and are the same in every run.
pub(crate) struct SeededRandom(pub(crate) u32);

impl SeededRandom {
    pub(crate) fn below(&mut self, end: u32) -> usize {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        usize::try_from((self.0 >> 16) % end).unwrap()
    }
}
