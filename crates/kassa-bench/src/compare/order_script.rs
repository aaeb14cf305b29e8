//! Buyers at whatever server: all send the same request, but for a number.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::adapter::{Adapter, RequestTemplate, ResponsePattern};
use super::placeholders::PlaceholderValues;
use crate::connection::HttpResponse;
use crate::error::BenchError;
use crate::load::LoadScript;

/// Digits of the number that stands for `{n}`, which no two requests share.
const NUMBER_DIGITS: usize = 12;

/// The request of an order, and by what its answers are known.
pub(super) struct OrderTemplate {
    request: Vec<u8>,
    /// Where the digits of the number lie, one occurrence after the other.
    digit_positions: Vec<usize>,
    accepted: ResponsePattern,
    sold_out: Option<ResponsePattern>,
}

impl OrderTemplate {
    pub(super) fn new(
        adapter: &Adapter,
        host: &str,
        below: &str,
        values: &PlaceholderValues,
    ) -> Result<Self, BenchError> {
        // Where two numbers make a difference, there it lies.
        let with = |digit: &str| render_numbered(&adapter.order, host, below, values, &digit.repeat(NUMBER_DIGITS));
        let (request, other) = (with("0")?, with("1")?);
        let digits = (0..request.len()).filter(|at| request[*at] != other[*at]).collect();
        let (accepted, sold_out) = (adapter.accepted.clone(), adapter.sold_out.clone());
        Ok(Self { request, digit_positions: digits, accepted, sold_out })
    }
}

fn render_numbered(
    order: &RequestTemplate,
    host: &str,
    below: &str,
    values: &PlaceholderValues,
    n: &str,
) -> Result<Vec<u8>, BenchError> {
    let mut values = values.clone();
    values.set("n", n);
    order.render(host, below, &values)
}

/// One of them, who asks until there is nothing left.
pub(super) struct OrderScript {
    template: Rc<OrderTemplate>,
    request: Vec<u8>,
    /// The number of the next request, and how far the one after it is.
    pub(super) next_number: u64,
    number_step: u64,
    /// Orders that have got their tickets.
    pub(super) accepted: u64,
    /// Answers that were neither that nor that nothing is left, by status.
    pub(super) refused: BTreeMap<u16, u64>,
    pub(super) is_sold_out: bool,
}

impl OrderScript {
    /// So many, whose numbers begin at `first`.
    pub(super) fn create_many(order: OrderTemplate, count: usize, first: u64) -> Vec<Self> {
        let order = Rc::new(order);
        let step = count as u64;
        let one = |n| Self {
            request: order.request.clone(),
            template: Rc::clone(&order),
            next_number: n,
            number_step: step,
            accepted: 0,
            refused: BTreeMap::new(),
            is_sold_out: false,
        };
        (first..first + step).map(one).collect()
    }
}

impl LoadScript for OrderScript {
    fn next_request(&mut self) -> Option<&[u8]> {
        if self.is_sold_out {
            return None;
        }
        for number in self.template.digit_positions.chunks(NUMBER_DIGITS) {
            let mut left = self.next_number;
            for at in number.iter().rev() {
                self.request[*at] = b"0123456789"[usize::try_from(left % 10).unwrap_or_default()];
                left /= 10;
            }
        }
        self.next_number += self.number_step;
        Some(&self.request)
    }

    fn on_response(&mut self, answer: &HttpResponse<'_>) -> Result<(), BenchError> {
        if self.template.sold_out.as_ref().is_some_and(|mark| mark.matches(answer)) {
            self.is_sold_out = true;
        } else if self.template.accepted.matches(answer) {
            self.accepted += 1;
        } else {
            *self.refused.entry(answer.status).or_default() += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{OrderScript, OrderTemplate};
    use crate::compare::adapter::Adapter;
    use crate::connection::HttpResponse;
    use crate::load::LoadScript as _;

    fn scripts(order: &str, count: usize) -> Vec<OrderScript> {
        let text = format!(r#"{{"name": "other", "sold_out": {{"status": 409}}, "order": {order}}}"#);
        let (adapter, values) = Adapter::read(&text).unwrap();
        OrderScript::create_many(OrderTemplate::new(&adapter, "host:1", "/shop", &values).unwrap(), count, 7)
    }

    fn answer(buyer: &mut OrderScript, status: u16) {
        buyer.on_response(&HttpResponse { status, total: None, cookie: None, body: b"" }).unwrap();
    }

    #[test]
    fn no_two_requests_have_the_same_number() {
        let order = r#"{"method": "POST", "path": "/orders?n={n}", "json": {"email": "buyer-{n}@kassa.test"}}"#;
        let mut seen = Vec::new();
        for buyer in &mut scripts(order, 2) {
            for _ in 0..2 {
                let request = String::from_utf8(buyer.next_request().unwrap().to_vec()).unwrap();
                let n = request.split("?n=").nth(1).unwrap()[..12].to_owned();
                assert!(request.starts_with("POST /shop/orders?n="), "{request}");
                assert!(request.ends_with(&format!("{{\"email\":\"buyer-{n}@kassa.test\"}}")), "{request}");
                seen.push(n.parse::<u64>().unwrap());
            }
        }
        assert_eq!(seen, [7, 9, 8, 10]);
    }

    #[test]
    fn a_buyer_stops_when_it_is_told_that_all_is_sold_and_not_when_it_is_refused() {
        let [buyer] = &mut scripts(r#"{"method": "POST", "path": "/"}"#, 1)[..] else { panic!("one buyer") };
        answer(buyer, 201);
        answer(buyer, 503);
        assert!(buyer.next_request().is_some());
        answer(buyer, 409);
        assert!(buyer.next_request().is_none());
        assert_eq!((buyer.accepted, buyer.refused.get(&503), buyer.refused.get(&409)), (1, Some(&1), None));
    }
}
