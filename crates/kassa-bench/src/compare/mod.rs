//! `kassa bench --adapter FILE --url URL`: the same orders at another server, in turns with one of ours. Both
//! are asked as their adapters say, by the same load.

mod adapter;
mod contender;
mod order_script;
mod placeholders;

use std::fs;
use std::path::Path;
use std::time::Duration;

use kassa_engine::random;
use url::Url;

use crate::context::{BenchContext, socket_address};
use crate::error::BenchError;
use crate::report::ReportRow;
use crate::server::ServerProcess;
use adapter::{Adapter, KASSA_ADAPTER};
use contender::{Contender, SaleResult};

/// How long contested tickets are sold at most.
const CONTESTED_SALE_TIMEOUT: Duration = Duration::from_mins(10);

/// Who is compared, and by how many tickets that all want at once.
pub(super) struct Comparison<'a> {
    /// The adapter of the other server.
    pub(super) adapter: &'a Path,
    /// Where it is.
    pub(super) url: &'a Url,
    pub(super) tickets: u32,
}

/// Orders at both, until the time is over, and contested tickets at both, until they are sold.
pub(super) async fn measure(
    bench: &BenchContext,
    ours: &ServerProcess,
    with: &Comparison<'_>,
) -> Result<Vec<ReportRow>, BenchError> {
    let run = format!("{:016x}", random::from_system()().next_u64());
    let text = fs::read_to_string(with.adapter).map_err(|error| format!("{}: {error}", with.adapter.display()))?;
    let (adapter, values) = Adapter::read(&text).map_err(|error| format!("{}: {error}", with.adapter.display()))?;
    let (host, path_prefix) = host_and_path_prefix(with.url)?;
    let mut theirs = Contender::open(adapter, values, socket_address(with.url)?, host, path_prefix, &run).await?;
    let (adapter, values) = Adapter::read(KASSA_ADAPTER)?;
    let host = ours.address.to_string();
    let mut ours = Contender::open(adapter, values, ours.address, host, String::new(), &run).await?;
    let name = theirs.adapter.name.clone();
    let mut orders = ReportRow::new("*", format!("orders, {} connections, beside {name}", bench.connections), "/s");
    let mut p50 = ReportRow::new("*", "p50 of an answer", "ms");
    let mut p99 = ReportRow::new("*", "p99 of an answer", "ms");
    let mut refusals = ReportRow::new("*", "answers that were neither an order nor \"sold out\"", "");
    let mut contested = ReportRow::new("*", format!("time to sell {} contested tickets", with.tickets), "s");
    let mut sold = ReportRow::new("*", "tickets sold of these", "");
    for round in 1..=bench.rounds {
        bench.report_progress(&format!("orders, round {round} of {}", bench.rounds));
        let (a, b) = (sell_uncontested(bench, &mut ours).await?, sell_uncontested(bench, &mut theirs).await?);
        orders.add_with_baseline(orders_per_second(&a), orders_per_second(&b));
        p50.add_with_baseline(a.load.latency_ms(0.5), b.load.latency_ms(0.5));
        p99.add_with_baseline(a.load.latency_ms(0.99), b.load.latency_ms(0.99));
        refusals.add_with_baseline(report_refusals(&ours, &a), report_refusals(&theirs, &b));
        if theirs.adapter.sold_out.is_none() {
            continue;
        }
        bench.report_progress(&format!("contested tickets, round {round} of {}", bench.rounds));
        let (a, b) = (sell_contested(bench, &mut ours, with).await?, sell_contested(bench, &mut theirs, with).await?);
        contested.add_with_baseline(a.load.seconds, b.load.seconds);
        sold.add_with_baseline(as_f64(tickets_sold(&ours, &a)), as_f64(tickets_sold(&theirs, &b)));
        refusals.add_with_baseline(report_refusals(&ours, &a), report_refusals(&theirs, &b));
    }
    if theirs.adapter.sold_out.is_none() {
        eprintln!("kassa bench: no contested tickets: the adapter does not tell how {name} says \"sold out\"");
    }
    Ok([orders, p50, p99, contested, sold, refusals].into_iter().filter(|row| !row.rounds.is_empty()).collect())
}

/// Orders where there are tickets for all of them.
async fn sell_uncontested(bench: &BenchContext, contender: &mut Contender) -> Result<SaleResult, BenchError> {
    let tickets = contender.adapter.tickets.min(bench.tickets_per_sale);
    let sold = contender.sell(tickets, bench.connections, bench.duration).await?;
    let name = &contender.adapter.name;
    match sold {
        SaleResult { sold_out_buyers: 1.., .. } => Err(format!("{name}: {tickets} tickets were too few for the time")),
        SaleResult { orders: 0, ref refused, .. } => Err(format!("{name}: no order was accepted: {refused:?}")),
        SaleResult { .. } => Ok(sold),
    }
    .map_err(BenchError::from)
}

/// Orders of more tickets than there are: until each buyer was answered that all are sold.
async fn sell_contested(
    bench: &BenchContext,
    contender: &mut Contender,
    with: &Comparison<'_>,
) -> Result<SaleResult, BenchError> {
    let sold = contender.sell(with.tickets, bench.connections, CONTESTED_SALE_TIMEOUT).await?;
    let (name, tickets) = (&contender.adapter.name, tickets_sold(contender, &sold));
    if tickets > u64::from(with.tickets) {
        eprintln!("kassa bench: {name} has OVERSOLD: {tickets} tickets of {}", with.tickets);
    }
    if sold.sold_out_buyers < bench.connections {
        eprintln!("kassa bench: {name} has not sold out in {} s", CONTESTED_SALE_TIMEOUT.as_secs());
    }
    Ok(sold)
}

fn tickets_sold(contender: &Contender, sold: &SaleResult) -> u64 {
    sold.orders * u64::from(contender.adapter.tickets_per_order)
}

fn orders_per_second(sold: &SaleResult) -> f64 {
    as_f64(sold.orders) / sold.load.seconds
}

/// How many answers were refusals, by status.
fn report_refusals(contender: &Contender, sold: &SaleResult) -> f64 {
    for (status, times) in &sold.refused {
        eprintln!("kassa bench: {} has answered {status} to {times} orders", contender.adapter.name);
    }
    as_f64(sold.refused.values().sum())
}

#[expect(clippy::cast_precision_loss, reason = "fewer than 2^52")]
fn as_f64(count: u64) -> f64 {
    count as f64
}

/// The host of a url as requests name it, and the path that all others lie below.
fn host_and_path_prefix(url: &Url) -> Result<(String, String), BenchError> {
    let host = url.host_str().ok_or("--url has no host")?;
    let host = url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
    Ok((host, url.path().trim_end_matches('/').to_owned()))
}

#[cfg(test)]
mod tests {
    use super::host_and_path_prefix;

    #[test]
    fn paths_lie_below_that_of_the_url() {
        let place = |url: &str| host_and_path_prefix(&url.parse().unwrap()).unwrap();
        assert_eq!(place("http://localhost:8000/api/"), ("localhost:8000".to_owned(), "/api".to_owned()));
        assert_eq!(place("http://example.org"), ("example.org".to_owned(), String::new()));
    }
}
