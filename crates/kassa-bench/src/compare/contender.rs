//! A server that is compared, whichever it is: it is set up as its adapter says, and put under load.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use serde_json::Value;

use super::adapter::{Adapter, RequestTemplate};
use super::order_script::{OrderScript, OrderTemplate};
use super::placeholders::PlaceholderValues;
use crate::connection::Connection;
use crate::error::BenchError;
use crate::load::{self, LoadPace, LoadResult};
use crate::stopwatch;

/// How often it is looked whether something has become so.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// How long that may take.
const POLL_TIMEOUT: Duration = Duration::from_mins(10);

/// A server, and how it is asked.
pub(super) struct Contender {
    pub(super) adapter: Adapter,
    address: SocketAddr,
    host: String,
    /// What all paths begin with.
    path_prefix: String,
    placeholders: PlaceholderValues,
    /// Sales that were made.
    sales: u32,
    /// From where on no request for an order has had a number.
    next_number: u64,
}

/// The result of a sale to many buyers.
pub(super) struct SaleResult {
    pub(super) load: LoadResult,
    pub(super) orders: u64,
    pub(super) refused: BTreeMap<u16, u64>,
    /// Buyers whose order was answered with "sold out".
    pub(super) sold_out_buyers: usize,
}

impl Contender {
    /// Sets it up.
    pub(super) async fn open(
        adapter: Adapter,
        mut values: PlaceholderValues,
        address: SocketAddr,
        host: String,
        path_prefix: String,
        run: &str,
    ) -> Result<Self, BenchError> {
        values.set("run", run);
        let setup = adapter.setup.clone();
        let mut contender =
            Self { adapter, address, host, path_prefix, placeholders: values, sales: 0, next_number: 0 };
        contender.send_all(&setup).await?;
        Ok(contender)
    }

    /// Puts so many tickets on sale, and lets so many buyers order them until none is left or the time is over.
    pub(super) async fn sell(&mut self, tickets: u32, buyers: usize, time: Duration) -> Result<SaleResult, BenchError> {
        self.sales += 1;
        self.placeholders.set("sale", self.sales);
        self.placeholders.set("tickets", tickets);
        let sale = self.adapter.sale.clone();
        self.send_all(&sale).await?;
        let order = OrderTemplate::new(&self.adapter, &self.host, &self.path_prefix, &self.placeholders)?;
        let scripts = OrderScript::create_many(order, buyers, self.next_number);
        let (measured, scripts) = load::run_load(self.address, scripts, LoadPace::ClosedLoop, time).await?;
        self.next_number = scripts.iter().map(|buyer| buyer.next_number).max().unwrap_or(self.next_number);
        let mut refused = BTreeMap::new();
        for (status, times) in scripts.iter().flat_map(|buyer| &buyer.refused) {
            *refused.entry(*status).or_default() += times;
        }
        let orders = scripts.iter().map(|buyer| buyer.accepted).sum();
        let sold_out_buyers = scripts.iter().filter(|buyer| buyer.is_sold_out).count();
        Ok(SaleResult { load: measured, orders, refused, sold_out_buyers })
    }

    async fn send_all(&mut self, requests: &[RequestTemplate]) -> Result<(), BenchError> {
        let mut connection = Connection::open(self.address).await?;
        for request in requests {
            let asked = self.send_until_expected(&mut connection, request).await;
            asked.map_err(|error| format!("{}: {error}", self.adapter.name))?;
        }
        Ok(())
    }

    /// Asks until the answer is as it is wanted, and takes values of it.
    async fn send_until_expected(
        &mut self,
        connection: &mut Connection,
        request: &RequestTemplate,
    ) -> Result<(), BenchError> {
        let bytes = request.render(&self.host, &self.path_prefix, &self.placeholders)?;
        let what = String::from_utf8_lossy(bytes.split(|byte| *byte == b'\r').next().unwrap_or_default()).into_owned();
        let begun = stopwatch::now();
        loop {
            let answer = connection.send(&bytes).await?;
            let shown = || format!("{what}: {}: {}", answer.status, String::from_utf8_lossy(answer.body));
            if !request.expect.matches(&answer) {
                return Err(shown().into());
            }
            let body: Value = serde_json::from_slice(answer.body).unwrap_or_default();
            if self.has_expected_values(&body, request)? {
                for (placeholder, place) in &request.take {
                    let found = match place.as_str() {
                        "cookie" => answer.cookie.clone().map(Value::String),
                        pointer => body.pointer(pointer).cloned(),
                    };
                    self.placeholders.set(placeholder, found.ok_or_else(|| format!("no {place} in {}", shown()))?);
                }
                return Ok(());
            }
            if stopwatch::now() - begun > POLL_TIMEOUT {
                return Err(format!("it does not become what is waited for: {}", shown()).into());
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    /// Whether an answer has the values that are waited for.
    fn has_expected_values(&self, body: &Value, request: &RequestTemplate) -> Result<bool, BenchError> {
        for (pointer, wanted) in &request.until {
            if body.pointer(pointer) != Some(&self.placeholders.fill_json(wanted)?) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
