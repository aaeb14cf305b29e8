//! What buyers and visitors ask.

use serde_json::{Value, json};

use super::api::succeeded;
use super::connection::Answer;
use super::house::Sale;
use super::load::Script;
use super::request::{Credential, request};
use crate::installation::Fatal;

/// Digits of an id.
const ID_DIGITS: usize = 24;

/// The id of an order, as it is shown.
pub(super) type OrderId = [u8; ID_DIGITS];

/// Requests that are asked in turn, again and again.
#[derive(Clone)]
pub(super) struct Again {
    requests: Vec<Vec<u8>>,
    at: usize,
}

impl Again {
    pub(super) fn new(requests: Vec<Vec<u8>>) -> Self {
        Self { requests, at: 0 }
    }
}

impl Script for Again {
    fn next(&mut self) -> Option<&[u8]> {
        let request = &self.requests[self.at];
        self.at = (self.at + 1) % self.requests.len();
        Some(request)
    }

    fn answered(&mut self, answer: &Answer<'_>) -> Result<(), Fatal> {
        succeeded(answer)
    }
}

/// Reserves two tickets of a set, whichever they are, again and again, and remembers each order.
pub(super) struct Reserve {
    request: Vec<u8>,
    /// How many orders are still wanted.
    left: u64,
    /// The orders that were acknowledged.
    pub(super) orders: Vec<OrderId>,
}

impl Reserve {
    pub(super) fn new(sale: &Sale, key: &Credential) -> Self {
        Self::at_most(u64::MAX, sale, key)
    }

    /// The same until so many orders are made.
    pub(super) fn at_most(left: u64, sale: &Sale, key: &Credential) -> Self {
        Self { request: request("POST", ORDERS, key, Some(&wish(sale, 0))), left, orders: Vec::new() }
    }
}

/// Where orders are.
pub(super) const ORDERS: &str = "/v1/resources/orders";

/// Tickets of an order.
pub(super) const WANTED: usize = 2;

/// What an order names.
pub(super) fn wish(sale: &Sale, set: usize) -> Value {
    let set = &sale.sets[set % sale.sets.len()];
    json!({"event": sale.event, "random": {set: WANTED}})
}

impl Script for Reserve {
    fn next(&mut self) -> Option<&[u8]> {
        self.left = self.left.checked_sub(1)?;
        Some(&self.request)
    }

    fn answered(&mut self, answer: &Answer<'_>) -> Result<(), Fatal> {
        succeeded(answer)?;
        self.orders.push(order_id(answer.body)?);
        Ok(())
    }
}

/// The id of an order, found without reading the order.
fn order_id(body: &[u8]) -> Result<OrderId, Fatal> {
    const BEFORE: &[u8] = b"\"id\":\"";
    let at = body.windows(BEFORE.len()).position(|window| window == BEFORE).ok_or("an order has no id")?;
    let id = body.get(at + BEFORE.len()..at + BEFORE.len() + ID_DIGITS).ok_or("an order has no id")?;
    Ok(id.try_into()?)
}

/// Buys: reserves two tickets, says who the customer is if there is one, and pays.
pub(super) struct Buy {
    reserve: Vec<u8>,
    key: Credential,
    customer: Option<Value>,
    step: Step,
    /// The request to the order that has been reserved.
    request: Vec<u8>,
    /// How many purchases are still wanted.
    left: u64,
    /// The orders that were acknowledged.
    pub(super) orders: Vec<OrderId>,
}

#[derive(Clone, Copy)]
enum Step {
    Reserve,
    Name(OrderId),
    Pay,
}

impl Buy {
    /// Purchases of one buyer, as long as they are asked for.
    pub(super) fn named(sale: &Sale, key: &Credential, buyer: usize) -> Self {
        let customer = customer(buyer);
        Self { customer: Some(customer), left: u64::MAX, ..Self::anonymous(sale, 0, key, 0) }
    }

    /// So many purchases of nobody in particular.
    pub(super) fn anonymous(sale: &Sale, set: usize, key: &Credential, left: u64) -> Self {
        let reserve = request("POST", ORDERS, key, Some(&wish(sale, set)));
        let (key, request) = (key.clone(), Vec::new());
        Self { reserve, key, customer: None, step: Step::Reserve, request, left, orders: Vec::new() }
    }

    fn patch(&mut self, order: OrderId, body: &Value) {
        let path = format!("{ORDERS}/{}", String::from_utf8_lossy(&order));
        self.request = request("PATCH", &path, &self.key, Some(body));
    }
}

/// What names a customer.
pub(super) fn customer(buyer: usize) -> Value {
    let email = format!("buyer-{buyer}@kassa.test");
    json!({"customer": {"email": email, "first_name": "Bo", "last_name": "Buyer"}})
}

/// What tells that the money is there.
pub(super) fn payment() -> Value {
    json!({"payment": {"system": "api/BASE"}, "status": "done"})
}

impl Script for Buy {
    fn next(&mut self) -> Option<&[u8]> {
        match self.step {
            Step::Reserve if self.left == 0 => None,
            Step::Reserve => Some(&self.reserve),
            Step::Name(_) | Step::Pay => Some(&self.request),
        }
    }

    fn answered(&mut self, answer: &Answer<'_>) -> Result<(), Fatal> {
        succeeded(answer)?;
        self.step = match (self.step, self.customer.clone()) {
            (Step::Reserve, customer) => {
                let order = order_id(answer.body)?;
                self.orders.push(order);
                self.patch(order, customer.as_ref().unwrap_or(&payment()));
                if customer.is_some() { Step::Name(order) } else { Step::Pay }
            }
            (Step::Name(order), _) => {
                self.patch(order, &payment());
                Step::Pay
            }
            (Step::Pay, _) => {
                self.left -= 1;
                Step::Reserve
            }
        };
        Ok(())
    }
}
