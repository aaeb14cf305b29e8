//! Rows a and c: orders of two tickets each, whichever they are, of one event, by an agent under a deal.

use std::net::SocketAddr;

use super::{EchoBaseline, RecordedExchange};
use crate::audit::audit_sale;
use crate::context::BenchContext;
use crate::error::BenchError;
use crate::load::{self, LoadPace};
use crate::perf::PerfRecording;
use crate::report::{NO_GROWTH, ReportGoal, ReportRow};
use crate::scripts::{ORDERS_PATH, ReserveScript, order_body};
use crate::sellers::{Sale, Sellers};

/// The share of what was possible at which waiting is measured, too.
const PACED_LOAD_SHARE: f64 = 0.5;

pub(crate) async fn measure(bench: &BenchContext) -> Result<Vec<ReportRow>, BenchError> {
    let mut sellers = Sellers::open(bench.resolve_address()).await?;
    let connections = bench.connections;
    let mut orders =
        ReportRow::new("a", format!("orders, {connections} connections"), "/s").goal(ReportGoal::AtLeast(0.33));
    let mut processor = ReportRow::new("a", "processor time of the server an order", "µs");
    let mut p50 = ReportRow::new("c", "p50 of an order", "ms");
    let mut p99 = ReportRow::new("c", "p99 of an order", "ms").goal(ReportGoal::AtMost(2.5));
    let mut calm = ReportRow::new("c", "p99 of an order, at half that rate", "ms");
    let mut memory = ReportRow::new("g", "memory after more orders, beside that before them", "MiB").goal(NO_GROWTH);
    for round in 1..=bench.rounds {
        let sale = sellers.open_sale(bench.tickets_per_sale).await?;
        let probe =
            RecordedExchange::record(bench, "POST", ORDERS_PATH, &sellers.agent_key, Some(order_body(&sale, 0)))
                .await?;
        let echo = EchoBaseline::prepare(bench, &[probe]).await?;
        bench.report_progress(&format!("orders, round {round} of {}", bench.rounds));
        let beside = echo.measure(bench, LoadPace::ClosedLoop).await?;
        let sale = sellers.open_sale(bench.tickets_per_sale).await?;
        let recording = bench.start_recording(round)?;
        let before = bench.processor_seconds()?;
        let (ours, scripts) =
            run_reservations(bench, bench.resolve_address(), &sellers, &sale, LoadPace::ClosedLoop).await?;
        if let Some((before, after)) = before.zip(bench.processor_seconds()?) {
            processor.add((after - before) * 1e6 / (ours.per_second() * ours.seconds));
        }
        recording.map(PerfRecording::stop).transpose()?;
        audit_sale(&mut sellers, &sale, scripts.iter().flat_map(|script| &script.orders)).await?;
        let begun = bench.memory_mib()?;
        orders.add_with_baseline(ours.per_second(), beside.per_second());
        p50.add_with_baseline(ours.latency_ms(0.5), beside.latency_ms(0.5));
        p99.add_with_baseline(ours.latency_ms(0.99), beside.latency_ms(0.99));
        let pace = LoadPace::FixedRate(ours.per_second() * PACED_LOAD_SHARE);
        let beside = echo.measure(bench, pace).await?;
        let sale = sellers.open_sale(bench.tickets_per_sale).await?;
        let (ours, scripts) = run_reservations(bench, bench.resolve_address(), &sellers, &sale, pace).await?;
        audit_sale(&mut sellers, &sale, scripts.iter().flat_map(|script| &script.orders)).await?;
        calm.add_with_baseline(ours.latency_ms(0.99), beside.latency_ms(0.99));
        if let Some((then, now)) = begun.zip(bench.memory_mib()?) {
            memory.add_with_baseline(now, then);
        }
    }
    Ok([orders, processor, p50, p99, calm, memory].into_iter().filter(|row| !row.rounds.is_empty()).collect())
}

/// Sells tickets of the first set over all connections.
pub(super) async fn run_reservations(
    bench: &BenchContext,
    address: SocketAddr,
    sellers: &Sellers,
    sale: &Sale,
    pace: LoadPace,
) -> Result<(load::LoadResult, Vec<ReserveScript>), BenchError> {
    let scripts = (0..bench.connections).map(|_| ReserveScript::new(sale, &sellers.agent_key)).collect();
    load::run_load(address, scripts, pace, bench.duration).await
}

/// Orders a second of a sale over all connections, as fast as they are answered.
pub(super) async fn sell(
    bench: &BenchContext,
    address: SocketAddr,
    sellers: &mut Sellers,
    sale: &Sale,
) -> Result<f64, BenchError> {
    let (sold, scripts) = run_reservations(bench, address, sellers, sale, LoadPace::ClosedLoop).await?;
    audit_sale(sellers, sale, scripts.iter().flat_map(|script| &script.orders)).await?;
    Ok(sold.per_second())
}
