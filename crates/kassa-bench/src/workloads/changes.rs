//! Rows j and k: how long after its answer an order is told to those who read the feed of changes, during a sale at full
//! speed: at the same server, and at another one of the same PostgreSQL database.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Instant;

use crate::audit::audit_sale;
use crate::connection::HttpResponse;
use crate::context::BenchContext;
use crate::database::BenchDatabase;
use crate::error::BenchError;
use crate::feed_reader::{FeedAccess, FeedReader};
use crate::load::{self, LoadPace, LoadScript};
use crate::report::{ReportGoal, ReportRow};
use crate::scripts::{OrderId, ReserveScript};
use crate::sellers::Sellers;
use crate::stopwatch;

/// How the feed is read, and what that is called.
const ACCESSES: [(FeedAccess, &str); 2] = [(FeedAccess::Stream, "in a stream"), (FeedAccess::Poll, "by a long poll")];
/// A commit of PostgreSQL takes a disk flush and round trips: fewer tickets than elsewhere last as long.
const TICKETS_DIVISOR_POSTGRES: u32 = 4;

/// Where orders are made, and where their changes are read.
struct FeedPath {
    row: &'static str,
    selling: SocketAddr,
    reading: SocketAddr,
    tickets: u32,
    /// Milliseconds that half of the changes may take.
    goal: f64,
}

/// Row j: the server that sells tells of it.
pub(crate) async fn measure_same_server(bench: &BenchContext) -> Result<Vec<ReportRow>, BenchError> {
    let address = bench.resolve_address();
    let tickets = bench.tickets_per_sale;
    measure(bench, &FeedPath { row: "j", selling: address, reading: address, tickets, goal: 50.0 }).await
}

/// Row k: one server sells, another one tells of it.
pub(crate) async fn measure_other_server(
    bench: &BenchContext,
    database: &BenchDatabase,
    scratch: &Path,
) -> Result<Vec<ReportRow>, BenchError> {
    let selling = database.serve(&bench.program, &scratch.join("selling"))?;
    let reading = database.serve(&bench.program, &scratch.join("reading"))?;
    let tickets = bench.tickets_per_sale / TICKETS_DIVISOR_POSTGRES;
    let path = FeedPath { row: "k", selling: selling.address, reading: reading.address, tickets, goal: 250.0 };
    let rows = measure(bench, &path).await?;
    selling.stop()?;
    reading.stop()?;
    Ok(rows)
}

async fn measure(bench: &BenchContext, path: &FeedPath) -> Result<Vec<ReportRow>, BenchError> {
    let where_read = if path.selling == path.reading { "" } else { ", at another server" };
    let mut sellers = Sellers::open(path.selling).await?;
    let mut rows = Vec::new();
    for (access, name) in ACCESSES {
        let told = format!("an order is told {name}{where_read}");
        let mut median = ReportRow::new(path.row, format!("{told}: median"), "ms").goal(ReportGoal::AtMost(path.goal));
        let mut p99 = ReportRow::new(path.row, format!("{told}: p99"), "ms");
        let mut orders = ReportRow::new(path.row, format!("orders meanwhile, {} connections", bench.connections), "/s");
        for round in 1..=bench.rounds {
            bench.report_progress(&format!("{told}, round {round} of {}", bench.rounds));
            let sale = sellers.open_sale(path.tickets).await?;
            let reader = FeedReader::start(path.reading, &sellers, &sale, access).await?;
            let scripts = (0..bench.connections)
                .map(|_| TimedScript { inner: ReserveScript::new(&sale, &sellers.agent_key), answered: Vec::new() })
                .collect();
            let (sold, scripts) = load::run_load(path.selling, scripts, LoadPace::ClosedLoop, bench.duration).await?;
            let told = reader.wait_for(scripts.iter().map(|script| script.inner.orders.len()).sum()).await?;
            let mut took_us = load::new_histogram()?;
            for (order, answered) in scripts.iter().flat_map(TimedScript::orders) {
                let told = told.get(order).ok_or("a reader was told of an order that nobody has made")?;
                took_us.saturating_record(microseconds_between(*answered, *told));
            }
            audit_sale(&mut sellers, &sale, scripts.iter().flat_map(|script| &script.inner.orders)).await?;
            median.add(load::quantile_ms(&took_us, 0.5));
            p99.add(load::quantile_ms(&took_us, 0.99));
            orders.add(sold.per_second());
        }
        rows.extend([median, p99, orders]);
    }
    Ok(rows)
}

/// From the answer of an order to its change. The change may come first, as both follow the same commit: that is no
/// time, which counts as a microsecond.
fn microseconds_between(answered: Instant, told: Instant) -> u64 {
    u64::try_from(told.saturating_duration_since(answered).as_micros()).unwrap_or(u64::MAX).max(1)
}

/// Orders, with the time of each answer.
struct TimedScript {
    inner: ReserveScript,
    answered: Vec<Instant>,
}

impl TimedScript {
    fn orders(&self) -> impl Iterator<Item = (&OrderId, &Instant)> {
        self.inner.orders.iter().zip(&self.answered)
    }
}

impl LoadScript for TimedScript {
    fn next_request(&mut self) -> Option<&[u8]> {
        self.inner.next_request()
    }

    fn on_response(&mut self, answer: &HttpResponse<'_>) -> Result<(), BenchError> {
        self.answered.push(stopwatch::now());
        self.inner.on_response(answer)
    }
}
