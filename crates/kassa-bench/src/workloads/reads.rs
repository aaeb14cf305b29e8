//! Row d: reads of an order, of an event, and of a hundred events to sell.

use std::net::SocketAddr;
use std::time::Instant;

use serde_json::Value;

use super::{EchoBaseline, RecordedExchange};
use crate::api_client::{ApiClient, response_id};
use crate::connection::Connection;
use crate::context::BenchContext;
use crate::error::BenchError;
use crate::load::{self, LoadPace};
use crate::report::{ReportGoal, ReportRow};
use crate::request::{Credential, kassa_request};
use crate::scripts::{ORDERS_PATH, RepeatScript, order_body};
use crate::sellers::Sellers;
use crate::stopwatch;

/// Events to sell.
const EVENTS_FOR_SALE: u32 = 100;
/// Tickets of each.
const TICKETS_PER_EVENT: u32 = 10;
/// How often a list is written from memory to know how long that takes.
const SERIALIZATIONS: u32 = 100;

const EVENTS_FOR_SALE_PATH: &str = "/v1/services/simple/events";

pub(crate) async fn measure(bench: &BenchContext) -> Result<Vec<ReportRow>, BenchError> {
    let mut sellers = Sellers::open(bench.resolve_address()).await?;
    let mut sale = sellers.open_sale(TICKETS_PER_EVENT).await?;
    for _ in 1..EVENTS_FOR_SALE {
        sale = sellers.open_sale(TICKETS_PER_EVENT).await?;
    }
    let mut api = ApiClient::open(bench.resolve_address(), sellers.agent_key.clone()).await?;
    let order = response_id(&api.post(ORDERS_PATH, &order_body(&sale, 0)).await?)?;
    let order = format!("{ORDERS_PATH}/{order}");
    let event = format!("/v1/resources/events/{}", sale.event);
    let mut one_order = ReportRow::new("d", "reads of an order", "/s").goal(ReportGoal::AtLeast(0.65));
    let mut one_event = ReportRow::new("d", "reads of an event", "/s").goal(ReportGoal::AtLeast(0.65));
    let mut list = ReportRow::new("d", "a list of 100 events to sell, beside writing it from memory", "ms");
    list = list.goal(ReportGoal::AtMost(2.0));
    for round in 1..=bench.rounds {
        bench.report_progress(&format!("reads, round {round} of {}", bench.rounds));
        for (row, path) in [(&mut one_order, &order), (&mut one_event, &event)] {
            let (ours, beside) = measure_reads(bench, path, &sellers.agent_key).await?;
            row.add_with_baseline(ours, beside);
        }
        let again = RepeatScript::new(vec![kassa_request("GET", EVENTS_FOR_SALE_PATH, &sellers.agent_key, None)]);
        let (ours, _) =
            load::run_load(bench.resolve_address(), vec![again], LoadPace::ClosedLoop, bench.duration).await?;
        let answer =
            RecordedExchange::record(bench, "GET", EVENTS_FOR_SALE_PATH, &sellers.agent_key, None).await?.answer;
        list.add_with_baseline(ours.latency_ms(0.5), serialization_ms(&serde_json::from_slice(&answer)?)?);
    }
    Ok(vec![one_order, one_event, list])
}

/// Reads a second of the server, and of an echo that answers the same.
pub(super) async fn measure_reads(
    bench: &BenchContext,
    path: &str,
    key: &Credential,
) -> Result<(f64, f64), BenchError> {
    measure_reads_at(bench, &[bench.resolve_address()], path, key).await
}

/// Reads a second of several servers, over as many connections to each, and of one echo that answers the same.
pub(super) async fn measure_reads_at(
    bench: &BenchContext,
    addresses: &[SocketAddr],
    path: &str,
    key: &Credential,
) -> Result<(f64, f64), BenchError> {
    let first = *addresses.first().ok_or("there is no server to read from")?;
    let probe = RecordedExchange::record_at(first, "GET", path, key, None).await?;
    let echo = EchoBaseline::prepare(bench, &[probe]).await?;
    let beside = echo.measure(bench, LoadPace::ClosedLoop).await?;
    let again = RepeatScript::new(vec![kassa_request("GET", path, key, None)]);
    let mut connections = Vec::with_capacity(bench.connections);
    for address in addresses.iter().cycle().take(bench.connections) {
        connections.push(Connection::open(*address).await?);
    }
    let scripts = vec![again; connections.len()];
    let (ours, _) = load::run_load_over(connections, scripts, LoadPace::ClosedLoop, bench.duration).await?;
    Ok((ours.per_second(), beside.per_second()))
}

/// How long it takes to write a list as JSON, in milliseconds.
fn serialization_ms(list: &Value) -> Result<f64, BenchError> {
    let start: Instant = stopwatch::now();
    let mut bytes = 0;
    for _ in 0..SERIALIZATIONS {
        bytes += serde_json::to_vec(list)?.len();
    }
    let took = stopwatch::now() - start;
    if bytes == 0 {
        Err("a list was empty".into())
    } else {
        Ok(took.as_secs_f64() * 1_000.0 / f64::from(SERIALIZATIONS))
    }
}
