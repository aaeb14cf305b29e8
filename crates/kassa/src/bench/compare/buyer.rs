//! Buyers at whatever server: all send the same request, but for a number.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::adapter::{Adapter, Mark, Request};
use super::values::Values;
use crate::bench::connection::Answer;
use crate::bench::load::Script;
use crate::installation::Fatal;

/// Digits of the number that stands for `{n}`, which no two requests share.
const DIGITS: usize = 12;

/// The request of an order, and by what its answers are known.
pub(super) struct Order {
    request: Vec<u8>,
    /// Where the digits of the number lie, one occurrence after the other.
    digits: Vec<usize>,
    accepted: Mark,
    sold_out: Option<Mark>,
}

impl Order {
    pub(super) fn new(adapter: &Adapter, host: &str, below: &str, values: &Values) -> Result<Self, Fatal> {
        // Where two numbers make a difference, there it lies.
        let with = |digit: &str| numbered(&adapter.order, host, below, values, &digit.repeat(DIGITS));
        let (request, other) = (with("0")?, with("1")?);
        let digits = (0..request.len()).filter(|at| request[*at] != other[*at]).collect();
        let (accepted, sold_out) = (adapter.accepted.clone(), adapter.sold_out.clone());
        Ok(Self { request, digits, accepted, sold_out })
    }
}

fn numbered(order: &Request, host: &str, below: &str, values: &Values, n: &str) -> Result<Vec<u8>, Fatal> {
    let mut values = values.clone();
    values.set("n", n);
    order.bytes(host, below, &values)
}

/// One of them, who asks until there is nothing left.
pub(super) struct Buyer {
    order: Rc<Order>,
    request: Vec<u8>,
    /// The number of the next request, and how far the one after it is.
    pub(super) n: u64,
    step: u64,
    /// Orders that have got their tickets.
    pub(super) accepted: u64,
    /// Answers that were neither that nor that nothing is left, by status.
    pub(super) refused: BTreeMap<u16, u64>,
    pub(super) is_sold_out: bool,
}

impl Buyer {
    /// So many, whose numbers begin at `first`.
    pub(super) fn crowd(order: Order, count: usize, first: u64) -> Vec<Self> {
        let order = Rc::new(order);
        let step = count as u64;
        let one = |n| Self {
            request: order.request.clone(),
            order: Rc::clone(&order),
            n,
            step,
            accepted: 0,
            refused: BTreeMap::new(),
            is_sold_out: false,
        };
        (first..first + step).map(one).collect()
    }
}

impl Script for Buyer {
    fn next(&mut self) -> Option<&[u8]> {
        if self.is_sold_out {
            return None;
        }
        for number in self.order.digits.chunks(DIGITS) {
            let mut left = self.n;
            for at in number.iter().rev() {
                self.request[*at] = b"0123456789"[usize::try_from(left % 10).unwrap_or_default()];
                left /= 10;
            }
        }
        self.n += self.step;
        Some(&self.request)
    }

    fn answered(&mut self, answer: &Answer<'_>) -> Result<(), Fatal> {
        if self.order.sold_out.as_ref().is_some_and(|mark| mark.is_on(answer)) {
            self.is_sold_out = true;
        } else if self.order.accepted.is_on(answer) {
            self.accepted += 1;
        } else {
            *self.refused.entry(answer.status).or_default() += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Buyer, Order};
    use crate::bench::compare::adapter::Adapter;
    use crate::bench::connection::Answer;
    use crate::bench::load::Script as _;

    fn crowd(order: &str, count: usize) -> Vec<Buyer> {
        let text = format!(r#"{{"name": "other", "sold_out": {{"status": 409}}, "order": {order}}}"#);
        let (adapter, values) = Adapter::read(&text).unwrap();
        Buyer::crowd(Order::new(&adapter, "host:1", "/shop", &values).unwrap(), count, 7)
    }

    fn answer(buyer: &mut Buyer, status: u16) {
        buyer.answered(&Answer { status, total: None, cookie: None, body: b"" }).unwrap();
    }

    #[test]
    fn no_two_requests_have_the_same_number() {
        let order = r#"{"method": "POST", "path": "/orders?n={n}", "json": {"email": "buyer-{n}@kassa.test"}}"#;
        let mut seen = Vec::new();
        for buyer in &mut crowd(order, 2) {
            for _ in 0..2 {
                let request = String::from_utf8(buyer.next().unwrap().to_vec()).unwrap();
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
        let [buyer] = &mut crowd(r#"{"method": "POST", "path": "/"}"#, 1)[..] else { panic!("one buyer") };
        answer(buyer, 201);
        answer(buyer, 503);
        assert!(buyer.next().is_some());
        answer(buyer, 409);
        assert!(buyer.next().is_none());
        assert_eq!((buyer.accepted, buyer.refused.get(&503), buyer.refused.get(&409)), (1, Some(&1), None));
    }
}
