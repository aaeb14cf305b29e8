//! A server that is compared, whichever it is: it is set up as its adapter says, and put under load.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use serde_json::Value;

use super::adapter::{Adapter, Request};
use super::buyer::{Buyer, Order};
use super::values::Values;
use crate::bench::connection::Connection;
use crate::bench::load::{self, Measured, Pace};
use crate::bench::stopwatch;
use crate::installation::Fatal;

/// How often it is looked whether something has become so.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// How long that may take.
const LOOK_MAX: Duration = Duration::from_mins(10);

/// A server, and how it is asked.
pub(super) struct Contender {
    pub(super) adapter: Adapter,
    address: SocketAddr,
    host: String,
    /// What all paths begin with.
    below: String,
    values: Values,
    /// Sales that were made.
    sales: u32,
    /// From where on no request for an order has had a number.
    numbers: u64,
}

/// What a crowd of buyers came to.
pub(super) struct Sold {
    pub(super) measured: Measured,
    pub(super) orders: u64,
    pub(super) refused: BTreeMap<u16, u64>,
    /// Buyers that were told that nothing is left.
    pub(super) told: usize,
}

impl Contender {
    /// Sets it up.
    pub(super) async fn open(
        (adapter, mut values): (Adapter, Values),
        address: SocketAddr,
        (host, below): (String, String),
        run: &str,
    ) -> Result<Self, Fatal> {
        values.set("run", run);
        let setup = adapter.setup.clone();
        let mut contender = Self { adapter, address, host, below, values, sales: 0, numbers: 0 };
        contender.ask_all(&setup).await?;
        Ok(contender)
    }

    /// Puts so many tickets on sale, and lets so many buyers order them until none is left or the time is over.
    pub(super) async fn sell(&mut self, tickets: u32, buyers: usize, time: Duration) -> Result<Sold, Fatal> {
        self.sales += 1;
        self.values.set("sale", self.sales);
        self.values.set("tickets", tickets);
        let sale = self.adapter.sale.clone();
        self.ask_all(&sale).await?;
        let order = Order::new(&self.adapter, &self.host, &self.below, &self.values)?;
        let crowd = Buyer::crowd(order, buyers, self.numbers);
        let (measured, crowd) = load::run(self.address, crowd, Pace::Closed, time).await?;
        self.numbers = crowd.iter().map(|buyer| buyer.n).max().unwrap_or(self.numbers);
        let mut refused = BTreeMap::new();
        for (status, times) in crowd.iter().flat_map(|buyer| &buyer.refused) {
            *refused.entry(*status).or_default() += times;
        }
        let orders = crowd.iter().map(|buyer| buyer.accepted).sum();
        let told = crowd.iter().filter(|buyer| buyer.is_sold_out).count();
        Ok(Sold { measured, orders, refused, told })
    }

    async fn ask_all(&mut self, requests: &[Request]) -> Result<(), Fatal> {
        let mut connection = Connection::open(self.address).await?;
        for request in requests {
            let asked = self.ask(&mut connection, request).await;
            asked.map_err(|error| format!("{}: {error}", self.adapter.name))?;
        }
        Ok(())
    }

    /// Asks until the answer is as it is wanted, and takes values of it.
    async fn ask(&mut self, connection: &mut Connection, request: &Request) -> Result<(), Fatal> {
        let bytes = request.bytes(&self.host, &self.below, &self.values)?;
        let what = String::from_utf8_lossy(bytes.split(|byte| *byte == b'\r').next().unwrap_or_default()).into_owned();
        let begun = stopwatch::now();
        loop {
            let answer = connection.ask(&bytes).await?;
            let shown = || format!("{what}: {}: {}", answer.status, String::from_utf8_lossy(answer.body));
            if !request.expect.is_on(&answer) {
                return Err(shown().into());
            }
            let body: Value = serde_json::from_slice(answer.body).unwrap_or_default();
            if self.is_so(&body, request)? {
                for (placeholder, place) in &request.take {
                    let found = match place.as_str() {
                        "cookie" => answer.cookie.clone().map(Value::String),
                        pointer => body.pointer(pointer).cloned(),
                    };
                    self.values.set(placeholder, found.ok_or_else(|| format!("no {place} in {}", shown()))?);
                }
                return Ok(());
            }
            if stopwatch::now() - begun > LOOK_MAX {
                return Err(format!("it does not become what is waited for: {}", shown()).into());
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// Whether an answer has the values that are waited for.
    fn is_so(&self, body: &Value, request: &Request) -> Result<bool, Fatal> {
        for (pointer, wanted) in &request.until {
            if body.pointer(pointer) != Some(&self.values.fill_json(wanted)?) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
