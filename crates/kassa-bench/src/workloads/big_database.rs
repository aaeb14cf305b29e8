//! Rows f, g and h: the same orders in a database of ten million tickets and two million orders, the
//! memory of the server meanwhile, and how long it takes to start.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use crate::api_client::ApiClient;
use crate::audit::audit_sale;
use crate::context::BenchContext;
use crate::error::BenchError;
use crate::load::{self, LoadPace};
use crate::report::{NO_GROWTH, ReportGoal, ReportRow};
use crate::request::Credential;
use crate::scripts::{PurchaseScript, ReserveScript};
use crate::sellers::Sellers;
use crate::stopwatch;

const BIG_TICKETS: u32 = 10_000_000;
const BIG_ORDERS: u64 = 2_000_000;
/// Parts in which orders are made, so that progress can be shown.
const FILL_PARTS: u64 = 20;
/// Tickets of the event that is sold in each round.
const TICKETS_PER_ROUND: u32 = 100_000;
/// The file that says that a folder has all of it.
const MARKER_FILE: &str = "bench.txt";
/// Longer than filling a folder takes on any machine.
const NO_TIME_LIMIT: Duration = Duration::from_hours(24);

/// Measures a server on the big database in `data`, which is filled if it is not there, beside one on a small
/// database that is new in each round.
pub(crate) async fn measure(bench: &BenchContext, data: &Path, scratch: &Path) -> Result<Vec<ReportRow>, BenchError> {
    if !data.join(MARKER_FILE).exists() {
        fill_big_database(bench, data).await?;
    }
    let mut growth = ReportRow::new("f", "orders beside 10,000,000 tickets, and beside 100,000", "/s");
    growth = growth.goal(ReportGoal::AtLeast(0.8));
    let mut memory =
        ReportRow::new("g", "memory of the server on the big database", "MiB").goal(ReportGoal::AtMost(250.0));
    let mut flat = ReportRow::new("g", "the same after more orders, beside that before them", "MiB").goal(NO_GROWTH);
    let mut start = ReportRow::new("h", "start on the big database", "s").goal(ReportGoal::AtMost(1.0));
    for round in 1..=bench.rounds {
        bench.report_progress(&format!("growth, round {round} of {}", bench.rounds));
        let server = bench.start_kassa(&scratch.join(format!("small-{round}")))?;
        let small = sell_out(bench, server.address).await?;
        server.stop()?;
        let begun = stopwatch::now();
        let server = bench.start_kassa(data)?;
        ApiClient::open(server.address, Credential::None).await?.get("/v1/resources/events?limit=1").await?;
        start.add((stopwatch::now() - begun).as_secs_f64());
        growth.add_with_baseline(sell_out(bench, server.address).await?, small);
        let then = server.memory_mib()?;
        sell_out(bench, server.address).await?;
        flat.add_with_baseline(server.memory_mib()?, then);
        memory.add(server.memory_mib_max()?);
        server.stop()?;
    }
    Ok(vec![growth, memory, flat, start])
}

/// Orders a second of an event that has just been put on sale, until it is sold out.
async fn sell_out(bench: &BenchContext, address: SocketAddr) -> Result<f64, BenchError> {
    let mut sellers = Sellers::open(address).await?;
    let sale = sellers.open_sale(TICKETS_PER_ROUND).await?;
    let each = u64::from(TICKETS_PER_ROUND / 2) / bench.connections as u64;
    let scripts = (0..bench.connections).map(|_| ReserveScript::at_most(each, &sale, &sellers.agent_key)).collect();
    let (measured, scripts) = load::run_load(address, scripts, LoadPace::ClosedLoop, NO_TIME_LIMIT).await?;
    audit_sale(&mut sellers, &sale, scripts.iter().flat_map(|script| &script.orders)).await?;
    Ok(measured.per_second())
}

/// Fills a folder with a large history. An incomplete fill is not resumed: it would become larger than it should be.
async fn fill_big_database(bench: &BenchContext, data: &Path) -> Result<(), BenchError> {
    fs::create_dir_all(data)?;
    if fs::read_dir(data)?.next().is_some() {
        return Err(format!("{} is not empty, and has not all of the big database: remove it", data.display()).into());
    }
    bench.report_progress(&format!("filling {} with {BIG_TICKETS} tickets", data.display()));
    let server = bench.start_kassa(data)?;
    let mut sellers = Sellers::open(server.address).await?;
    let begun = stopwatch::now();
    let sale = sellers.open_sale(BIG_TICKETS).await?;
    let tickets_in = (stopwatch::now() - begun).as_secs();
    // On no set more than it has.
    let buyers = bench.connections.max(sale.sets.len());
    let each = BIG_ORDERS.div_ceil(FILL_PARTS * buyers as u64);
    for part in 0..FILL_PARTS {
        bench.report_progress(&format!(
            "filling {}: {} of {BIG_ORDERS} orders",
            data.display(),
            part * (BIG_ORDERS / FILL_PARTS)
        ));
        let scripts = (0..buyers).map(|at| PurchaseScript::anonymous(&sale, at, &sellers.agent_key, each)).collect();
        load::run_load(server.address, scripts, LoadPace::ClosedLoop, NO_TIME_LIMIT).await?;
    }
    server.stop()?;
    let orders_in = (stopwatch::now() - begun).as_secs() - tickets_in;
    let text = format!("{BIG_TICKETS} tickets in {tickets_in} s, and {BIG_ORDERS} orders in {orders_in} s\n");
    Ok(fs::write(data.join(MARKER_FILE), text)?)
}
