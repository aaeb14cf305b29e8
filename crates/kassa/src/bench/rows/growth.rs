//! Rows f, g and h: the same orders in a database of ten million tickets and two million orders, the
//! memory of the server meanwhile, and how long it takes to start.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use crate::bench::api::Api;
use crate::bench::audit::audit;
use crate::bench::house::House;
use crate::bench::load::{self, Pace};
use crate::bench::report::{Goal, Row};
use crate::bench::request::Credential;
use crate::bench::script::{Buy, Reserve};
use crate::bench::server::Server;
use crate::bench::{Bench, stopwatch};
use crate::installation::Fatal;

const TICKETS: u32 = 10_000_000;
const ORDERS: u64 = 2_000_000;
/// Tickets of the event that is sold in each round.
const SALE: u32 = 100_000;
/// The file that says that a folder has all of it.
const MARK: &str = "bench.txt";
/// Longer than filling a folder takes on any machine.
const FOREVER: Duration = Duration::from_hours(24);

/// Measures the server that is running, and one on the big database in `data`, which is filled if it
/// is not there.
pub(crate) async fn measure(bench: &Bench, data: &Path) -> Result<Vec<Row>, Fatal> {
    if !data.join(MARK).exists() {
        fill(bench, data).await?;
    }
    let mut growth = Row::new("f", "orders beside 10,000,000 tickets, and beside 100,000", "/s");
    growth = growth.goal(Goal::AtLeast(0.8));
    let mut memory = Row::new("g", "memory of the server on the big database", "MiB").goal(Goal::AtMost(250.0));
    let mut start = Row::new("h", "start on the big database", "s").goal(Goal::AtMost(1.0));
    for round in 1..=bench.rounds {
        bench.tell(&format!("growth, round {round} of {}", bench.rounds));
        let small = sell_out(bench, bench.address()).await?;
        let begun = stopwatch::now();
        let server = Server::kassa(data)?;
        Api::open(server.address, Credential::None).await?.get("/v1/resources/events?limit=1").await?;
        start.add((stopwatch::now() - begun).as_secs_f64());
        growth.add_beside(sell_out(bench, server.address).await?, small);
        memory.add(server.memory_mib_max()?);
        server.stop()?;
    }
    Ok(vec![growth, memory, start])
}

/// Orders a second of an event that has just been put on sale, until it is sold out.
async fn sell_out(bench: &Bench, address: SocketAddr) -> Result<f64, Fatal> {
    let mut house = House::open(address).await?;
    let sale = house.sale(SALE).await?;
    let each = u64::from(SALE / 2) / bench.connections as u64;
    let scripts = (0..bench.connections).map(|_| Reserve::at_most(each, &sale, &house.key)).collect();
    let (measured, scripts) = load::run(address, scripts, Pace::Closed, FOREVER).await?;
    audit(&mut house, &sale, scripts.iter().flat_map(|script| &script.orders)).await?;
    Ok(measured.per_second())
}

/// Fills a folder with a big past.
async fn fill(bench: &Bench, data: &Path) -> Result<(), Fatal> {
    bench.tell(&format!("filling {} with {TICKETS} tickets and {ORDERS} orders", data.display()));
    let server = Server::kassa(data)?;
    let mut house = House::open(server.address).await?;
    let sale = house.sale(TICKETS).await?;
    // On no set more than it has.
    let buyers = bench.connections.max(sale.sets.len());
    let each = ORDERS.div_ceil(buyers as u64);
    let scripts = (0..buyers).map(|at| Buy::anonymous(&sale, at, &house.key, each)).collect();
    let (filled, _) = load::run(server.address, scripts, Pace::Closed, FOREVER).await?;
    server.stop()?;
    fs::write(data.join(MARK), format!("{TICKETS} tickets and {ORDERS} orders in {:.0} s\n", filled.seconds))?;
    Ok(())
}
