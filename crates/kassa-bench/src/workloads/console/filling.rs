//! A partner that has sold a million orders itself, to customers with names, e-mails and telephone numbers: made through
//! the interface, as anybody would.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use super::ORDERS;
use crate::api_client::{ApiClient, require_success};
use crate::connection::HttpResponse;
use crate::context::BenchContext;
use crate::error::BenchError;
use crate::load::{self, LoadPace, LoadScript};
use crate::request::{Credential, kassa_request};
use crate::scripts::{ORDERS_PATH, find_order_id, payment_body};
use crate::sellers::Merchandise;

/// Events that the orders are for.
const EVENTS: u64 = 20;
/// Parts in which orders are made, so that progress can be shown.
const PARTS: u64 = 20;
/// Orders that one customer has.
const ORDERS_PER_CUSTOMER: u64 = 4;
/// First names: with a million orders, thousands have each.
const FIRST_NAMES: [&str; 16] = [
    "Ada", "Ben", "Cleo", "Dan", "Edith", "Finn", "Greta", "Hugo", "Ines", "Jonas", "Karla", "Leon", "Mila", "Nils",
    "Olga", "Paul",
];
/// How often it is looked whether all orders can be found.
const POLL_INTERVAL: Duration = Duration::from_millis(500);
/// Longer than filling a folder takes on any machine.
const NO_TIME_LIMIT: Duration = Duration::from_hours(24);

/// Who has sold all of it.
pub(super) struct Merchant {
    pub(super) email: String,
    pub(super) partner: String,
}

impl Merchant {
    pub(super) fn to_json(&self) -> Value {
        json!({"email": self.email, "partner": self.partner})
    }

    pub(super) fn from_json(value: &Value) -> Result<Self, BenchError> {
        let text = |name: &str| value[name].as_str().map(str::to_owned).ok_or("the folder does not say whose it is");
        Ok(Self { email: text("email")?, partner: text("partner")? })
    }
}

/// Fills a folder. An incomplete fill is not resumed: it would become larger than it should be.
pub(super) async fn fill(bench: &BenchContext, data: &Path) -> Result<Merchant, BenchError> {
    fs::create_dir_all(data)?;
    if fs::read_dir(data)?.next().is_some() {
        return Err(format!("{} is not empty, and has not all orders of the console: remove it", data.display()).into());
    }
    let server = bench.start_kassa(data)?;
    let mut merchandise = Merchandise::open(server.address).await?;
    let mut sales = Vec::new();
    for _ in 0..EVENTS {
        // With some that are left.
        sales.push(merchandise.open_sale(u32::try_from(ORDERS / EVENTS)? * 11 / 10).await?);
    }
    let buyers = bench.connections as u64;
    let each = ORDERS.div_ceil(PARTS * buyers);
    for part in 0..PARTS {
        let done = part * (ORDERS / PARTS);
        bench.report_progress(&format!("filling {}: {done} of {ORDERS} orders", data.display()));
        let script = |buyer: u64| SaleScript {
            key: merchandise.key.clone(),
            bodies: OrderBodies {
                sales: sales.iter().map(|sale| (sale.event.clone(), sale.sets[0].clone())).collect(),
            },
            next: (part * buyers + buyer) * each,
            end: (part * buyers + buyer + 1) * each,
            request: Vec::new(),
            is_paying: false,
        };
        let scripts = (0..buyers).map(script).collect();
        load::run_load(server.address, scripts, LoadPace::ClosedLoop, NO_TIME_LIMIT).await?;
    }
    bench.report_progress("waiting until all orders can be found");
    wait_until_found(server.address, &merchandise.key, PARTS * buyers * each - 1).await?;
    server.stop()?;
    Ok(Merchant { email: merchandise.email, partner: merchandise.partner })
}

/// What orders are found by is made behind them, in their order: until the last is found, others are missing.
async fn wait_until_found(address: SocketAddr, key: &Credential, last: u64) -> Result<(), BenchError> {
    let mut api = ApiClient::open(address, key.clone()).await?;
    let path = format!("/v2/resources/orders?page_size=1&search=buyer-{}%40kassa.test", last / ORDERS_PER_CUSTOMER);
    let sales = "/v2/services/sales?by=day";
    while api.get(&path).await?["total_count"] == 0 || api.get(sales).await?["is_complete"] != true {
        tokio::time::sleep(POLL_INTERVAL).await;
    }
    Ok(())
}

/// What orders name, by their numbers.
struct OrderBodies {
    /// An event and its set, each.
    sales: Vec<(String, String)>,
}

impl OrderBodies {
    fn order(&self, number: u64) -> Value {
        let place = usize::try_from(number).unwrap_or_default();
        let (event, set) = &self.sales[place % self.sales.len()];
        let customer = number / ORDERS_PER_CUSTOMER;
        let first_name = FIRST_NAMES[usize::try_from(customer).unwrap_or_default() % FIRST_NAMES.len()];
        json!({"event": event, "random": {set: 1}, "customer": {
            "email": format!("buyer-{customer}@kassa.test"),
            "first_name": first_name,
            "last_name": format!("Buyer{customer:07}"),
            "mobile": format!("+4940{customer:08}"),
        }})
    }
}

/// Sells one ticket after the other, each to be paid at once.
struct SaleScript {
    key: Credential,
    bodies: OrderBodies,
    /// The number of the next order, and of the first that is not made.
    next: u64,
    end: u64,
    request: Vec<u8>,
    is_paying: bool,
}

impl LoadScript for SaleScript {
    fn next_request(&mut self) -> Option<&[u8]> {
        if !self.is_paying {
            if self.next == self.end {
                return None;
            }
            self.request = kassa_request("POST", ORDERS_PATH, &self.key, Some(&self.bodies.order(self.next)));
            self.next += 1;
        }
        Some(&self.request)
    }

    fn on_response(&mut self, answer: &HttpResponse<'_>) -> Result<(), BenchError> {
        require_success(answer)?;
        if !self.is_paying {
            let order = find_order_id(answer.body)?;
            let path = format!("{ORDERS_PATH}/{}", String::from_utf8_lossy(&order));
            self.request = kassa_request("PATCH", &path, &self.key, Some(&payment_body()));
        }
        self.is_paying = !self.is_paying;
        Ok(())
    }
}
