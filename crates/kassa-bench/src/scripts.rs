//! What buyers and visitors ask.

use serde_json::{Value, json};

use crate::api_client::require_success;
use crate::connection::HttpResponse;
use crate::error::BenchError;
use crate::load::LoadScript;
use crate::request::{Credential, kassa_request};
use crate::sellers::Sale;

/// Digits of an id.
const ID_DIGITS: usize = 24;

/// The id of an order, as it is shown.
pub(crate) type OrderId = [u8; ID_DIGITS];

/// Requests that are asked in turn, again and again.
#[derive(Clone)]
pub(crate) struct RepeatScript {
    requests: Vec<Vec<u8>>,
    next_index: usize,
}

impl RepeatScript {
    pub(crate) fn new(requests: Vec<Vec<u8>>) -> Self {
        Self { requests, next_index: 0 }
    }
}

impl LoadScript for RepeatScript {
    fn next_request(&mut self) -> Option<&[u8]> {
        let request = &self.requests[self.next_index];
        self.next_index = (self.next_index + 1) % self.requests.len();
        Some(request)
    }

    fn on_response(&mut self, answer: &HttpResponse<'_>) -> Result<(), BenchError> {
        require_success(answer)
    }
}

/// Reserves two tickets of a set, whichever they are, again and again, and remembers each order.
pub(crate) struct ReserveScript {
    request: Vec<u8>,
    /// How many orders are still wanted.
    remaining: u64,
    /// The orders that were acknowledged.
    pub(crate) orders: Vec<OrderId>,
}

impl ReserveScript {
    pub(crate) fn new(sale: &Sale, key: &Credential) -> Self {
        Self::at_most(u64::MAX, sale, key)
    }

    /// The same until so many orders are made.
    pub(crate) fn at_most(left: u64, sale: &Sale, key: &Credential) -> Self {
        Self {
            request: kassa_request("POST", ORDERS_PATH, key, Some(&order_body(sale, 0))),
            remaining: left,
            orders: Vec::new(),
        }
    }
}

/// Where orders are.
pub(crate) const ORDERS_PATH: &str = "/v1/resources/orders";

/// Tickets of an order.
pub(crate) const TICKETS_PER_ORDER: usize = 2;

/// What an order names.
pub(crate) fn order_body(sale: &Sale, set: usize) -> Value {
    let set = &sale.sets[set % sale.sets.len()];
    json!({"event": sale.event, "random": {set: TICKETS_PER_ORDER}})
}

impl LoadScript for ReserveScript {
    fn next_request(&mut self) -> Option<&[u8]> {
        self.remaining = self.remaining.checked_sub(1)?;
        Some(&self.request)
    }

    fn on_response(&mut self, answer: &HttpResponse<'_>) -> Result<(), BenchError> {
        require_success(answer)?;
        self.orders.push(find_order_id(answer.body)?);
        Ok(())
    }
}

/// The id of an order, found without reading the order.
pub(crate) fn find_order_id(body: &[u8]) -> Result<OrderId, BenchError> {
    const BEFORE: &[u8] = b"\"id\":\"";
    let at = body.windows(BEFORE.len()).position(|window| window == BEFORE).ok_or("an order has no id")?;
    let id = body.get(at + BEFORE.len()..at + BEFORE.len() + ID_DIGITS).ok_or("an order has no id")?;
    Ok(id.try_into()?)
}

/// Buys: reserves two tickets, says who the customer is if there is one, and pays.
pub(crate) struct PurchaseScript {
    reserve: Vec<u8>,
    key: Credential,
    customer: Option<Value>,
    step: PurchaseStep,
    /// The request to the order that has been reserved.
    follow_up: Vec<u8>,
    /// How many purchases are still wanted.
    remaining: u64,
    /// The orders that were acknowledged.
    pub(crate) orders: Vec<OrderId>,
}

#[derive(Clone, Copy)]
enum PurchaseStep {
    Reserve,
    SetCustomer(OrderId),
    Pay,
}

impl PurchaseScript {
    /// Purchases of one buyer, as long as they are asked for.
    pub(crate) fn with_customer(sale: &Sale, key: &Credential, buyer: usize) -> Self {
        let customer = customer_body(buyer);
        Self { customer: Some(customer), remaining: u64::MAX, ..Self::anonymous(sale, 0, key, 0) }
    }

    /// So many purchases of nobody in particular.
    pub(crate) fn anonymous(sale: &Sale, set: usize, key: &Credential, left: u64) -> Self {
        let reserve = kassa_request("POST", ORDERS_PATH, key, Some(&order_body(sale, set)));
        let (key, request) = (key.clone(), Vec::new());
        Self {
            reserve,
            key,
            customer: None,
            step: PurchaseStep::Reserve,
            follow_up: request,
            remaining: left,
            orders: Vec::new(),
        }
    }

    fn prepare_patch(&mut self, order: OrderId, body: &Value) {
        let path = format!("{ORDERS_PATH}/{}", String::from_utf8_lossy(&order));
        self.follow_up = kassa_request("PATCH", &path, &self.key, Some(body));
    }
}

/// What names a customer.
pub(crate) fn customer_body(buyer: usize) -> Value {
    let email = format!("buyer-{buyer}@kassa.test");
    json!({"customer": {"email": email, "first_name": "Bo", "last_name": "Buyer"}})
}

/// The body that reports a payment.
pub(crate) fn payment_body() -> Value {
    json!({"payment": {"system": "api/BASE"}, "status": "done"})
}

impl LoadScript for PurchaseScript {
    fn next_request(&mut self) -> Option<&[u8]> {
        match self.step {
            PurchaseStep::Reserve if self.remaining == 0 => None,
            PurchaseStep::Reserve => Some(&self.reserve),
            PurchaseStep::SetCustomer(_) | PurchaseStep::Pay => Some(&self.follow_up),
        }
    }

    fn on_response(&mut self, answer: &HttpResponse<'_>) -> Result<(), BenchError> {
        require_success(answer)?;
        self.step = match (self.step, self.customer.clone()) {
            (PurchaseStep::Reserve, customer) => {
                let order = find_order_id(answer.body)?;
                self.orders.push(order);
                self.prepare_patch(order, customer.as_ref().unwrap_or(&payment_body()));
                if customer.is_some() { PurchaseStep::SetCustomer(order) } else { PurchaseStep::Pay }
            }
            (PurchaseStep::SetCustomer(order), _) => {
                self.prepare_patch(order, &payment_body());
                PurchaseStep::Pay
            }
            (PurchaseStep::Pay, _) => {
                self.remaining -= 1;
                PurchaseStep::Reserve
            }
        };
        Ok(())
    }
}
