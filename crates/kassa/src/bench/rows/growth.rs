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
use crate::bench::report::{FLAT, Goal, Row};
use crate::bench::request::Credential;
use crate::bench::script::{Buy, Reserve};
use crate::bench::server::Server;
use crate::bench::{Bench, stopwatch};
use crate::installation::Fatal;

const TICKETS: u32 = 10_000_000;
const ORDERS: u64 = 2_000_000;
/// Parts in which orders are made, so that progress can be told.
const PARTS: u64 = 20;
/// Tickets of the event that is sold in each round.
const SALE: u32 = 100_000;
/// The file that says that a folder has all of it.
const MARK: &str = "bench.txt";
/// Longer than filling a folder takes on any machine.
const FOREVER: Duration = Duration::from_hours(24);

/// Measures a server on the big database in `data`, which is filled if it is not there, beside one on a small
/// database that is new in each round.
pub(crate) async fn measure(bench: &Bench, data: &Path, scratch: &Path) -> Result<Vec<Row>, Fatal> {
    if !data.join(MARK).exists() {
        fill(bench, data).await?;
    }
    let mut growth = Row::new("f", "orders beside 10,000,000 tickets, and beside 100,000", "/s");
    growth = growth.goal(Goal::AtLeast(0.8));
    let mut memory = Row::new("g", "memory of the server on the big database", "MiB").goal(Goal::AtMost(250.0));
    let mut flat = Row::new("g", "the same after more orders, beside that before them", "MiB").goal(FLAT);
    let mut start = Row::new("h", "start on the big database", "s").goal(Goal::AtMost(1.0));
    for round in 1..=bench.rounds {
        bench.tell(&format!("growth, round {round} of {}", bench.rounds));
        let server = Server::kassa(&scratch.join(format!("small-{round}")))?;
        let small = sell_out(bench, server.address).await?;
        server.stop()?;
        let begun = stopwatch::now();
        let server = Server::kassa(data)?;
        Api::open(server.address, Credential::None).await?.get("/v1/resources/events?limit=1").await?;
        start.add((stopwatch::now() - begun).as_secs_f64());
        growth.add_beside(sell_out(bench, server.address).await?, small);
        let then = server.memory_mib()?;
        sell_out(bench, server.address).await?;
        flat.add_beside(server.memory_mib()?, then);
        memory.add(server.memory_mib_max()?);
        server.stop()?;
    }
    Ok(vec![growth, memory, flat, start])
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

/// Fills a folder with a big past. What is in it before it is whole is not gone on with: it would get bigger
/// than it should be.
async fn fill(bench: &Bench, data: &Path) -> Result<(), Fatal> {
    fs::create_dir_all(data)?;
    if fs::read_dir(data)?.next().is_some() {
        return Err(format!("{} is not empty, and has not all of the big database: remove it", data.display()).into());
    }
    bench.tell(&format!("filling {} with {TICKETS} tickets", data.display()));
    let server = Server::kassa(data)?;
    let mut house = House::open(server.address).await?;
    let begun = stopwatch::now();
    let sale = house.sale(TICKETS).await?;
    let tickets_in = (stopwatch::now() - begun).as_secs();
    // On no set more than it has.
    let buyers = bench.connections.max(sale.sets.len());
    let each = ORDERS.div_ceil(PARTS * buyers as u64);
    for part in 0..PARTS {
        bench.tell(&format!("filling {}: {} of {ORDERS} orders", data.display(), part * (ORDERS / PARTS)));
        let scripts = (0..buyers).map(|at| Buy::anonymous(&sale, at, &house.key, each)).collect();
        load::run(server.address, scripts, Pace::Closed, FOREVER).await?;
    }
    server.stop()?;
    let orders_in = (stopwatch::now() - begun).as_secs() - tickets_in;
    let text = format!("{TICKETS} tickets in {tickets_in} s, and {ORDERS} orders in {orders_in} s\n");
    Ok(fs::write(data.join(MARK), text)?)
}
