//! Rows a and c: orders of two tickets each, whichever they are, of one event, by an agent under a deal.

use std::net::SocketAddr;

use super::{Echoed, Exchange};
use crate::bench::Bench;
use crate::bench::audit::audit;
use crate::bench::house::{House, Sale};
use crate::bench::load::{self, Pace};
use crate::bench::perf::Recording;
use crate::bench::report::{FLAT, Goal, Row};
use crate::bench::script::{ORDERS, Reserve, wish};
use crate::installation::Fatal;

/// The share of what was possible at which waiting is measured, too.
const CALM: f64 = 0.5;

pub(crate) async fn measure(bench: &Bench) -> Result<Vec<Row>, Fatal> {
    let mut house = House::open(bench.address()).await?;
    let connections = bench.connections;
    let mut orders = Row::new("a", format!("orders, {connections} connections"), "/s").goal(Goal::AtLeast(0.5));
    let mut processor = Row::new("a", "processor time of the server an order", "µs");
    let mut p50 = Row::new("c", "p50 of an order", "ms");
    let mut p99 = Row::new("c", "p99 of an order", "ms").goal(Goal::AtMost(3.0));
    let mut calm = Row::new("c", "p99 of an order, at half that rate", "ms");
    let mut memory = Row::new("g", "memory after more orders, beside that before them", "MiB").goal(FLAT);
    for round in 1..=bench.rounds {
        let sale = house.sale(bench.tickets).await?;
        let probe = Exchange::with(bench, "POST", ORDERS, &house.key, Some(wish(&sale, 0))).await?;
        let echo = Echoed::learn(bench, &[probe]).await?;
        bench.tell(&format!("orders, round {round} of {}", bench.rounds));
        let beside = echo.measure(bench, Pace::Closed).await?;
        let sale = house.sale(bench.tickets).await?;
        let recording = bench.record(round)?;
        let before = bench.processor_seconds()?;
        let (ours, scripts) = reserve(bench, bench.address(), &house, &sale, Pace::Closed).await?;
        if let Some((before, after)) = before.zip(bench.processor_seconds()?) {
            processor.add((after - before) * 1e6 / (ours.per_second() * ours.seconds));
        }
        recording.map(Recording::stop).transpose()?;
        audit(&mut house, &sale, scripts.iter().flat_map(|script| &script.orders)).await?;
        let begun = bench.memory_mib()?;
        orders.add_beside(ours.per_second(), beside.per_second());
        p50.add_beside(ours.latency_ms(0.5), beside.latency_ms(0.5));
        p99.add_beside(ours.latency_ms(0.99), beside.latency_ms(0.99));
        let pace = Pace::Fixed(ours.per_second() * CALM);
        let beside = echo.measure(bench, pace).await?;
        let sale = house.sale(bench.tickets).await?;
        let (ours, scripts) = reserve(bench, bench.address(), &house, &sale, pace).await?;
        audit(&mut house, &sale, scripts.iter().flat_map(|script| &script.orders)).await?;
        calm.add_beside(ours.latency_ms(0.99), beside.latency_ms(0.99));
        if let Some((then, now)) = begun.zip(bench.memory_mib()?) {
            memory.add_beside(now, then);
        }
    }
    Ok([orders, processor, p50, p99, calm, memory].into_iter().filter(|row| !row.rounds.is_empty()).collect())
}

/// Sells tickets of the first set over all connections.
pub(super) async fn reserve(
    bench: &Bench,
    address: SocketAddr,
    house: &House,
    sale: &Sale,
    pace: Pace,
) -> Result<(load::Measured, Vec<Reserve>), Fatal> {
    let scripts = (0..bench.connections).map(|_| Reserve::new(sale, &house.key)).collect();
    load::run(address, scripts, pace, bench.duration).await
}
