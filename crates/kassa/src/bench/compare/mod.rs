//! `kassa bench --adapter FILE --url URL`: the same orders at another server, in turns with one of ours. Both
//! are asked as their adapters say, by the same load.

mod adapter;
mod buyer;
mod contender;
mod values;

use std::fs;
use std::path::Path;
use std::time::Duration;

use kassa_engine::random;
use url::Url;

use super::report::Row;
use super::server::Server;
use super::{Bench, address};
use crate::installation::Fatal;
use adapter::{Adapter, OURS};
use contender::{Contender, Sold};

/// How long contested tickets are sold at most.
const CONTEST_MAX: Duration = Duration::from_mins(10);

/// Who is compared, and by how many tickets that all want at once.
pub(super) struct Comparison<'a> {
    /// The adapter of the other server.
    pub(super) adapter: &'a Path,
    /// Where it is.
    pub(super) url: &'a Url,
    pub(super) tickets: u32,
}

/// Orders at both, until the time is over, and contested tickets at both, until they are sold.
pub(super) async fn measure(bench: &Bench, ours: &Server, with: &Comparison<'_>) -> Result<Vec<Row>, Fatal> {
    let run = format!("{:016x}", random::from_system()().next_u64());
    let text = fs::read_to_string(with.adapter).map_err(|error| format!("{}: {error}", with.adapter.display()))?;
    let adapter = Adapter::read(&text).map_err(|error| format!("{}: {error}", with.adapter.display()))?;
    let mut theirs = Contender::open(adapter, address(with.url)?, place(with.url)?, &run).await?;
    let host = (ours.address.to_string(), String::new());
    let mut ours = Contender::open(Adapter::read(OURS)?, ours.address, host, &run).await?;
    let name = theirs.adapter.name.clone();
    let mut orders = Row::new("*", format!("orders, {} connections, beside {name}", bench.connections), "/s");
    let mut p50 = Row::new("*", "p50 of an answer", "ms");
    let mut p99 = Row::new("*", "p99 of an answer", "ms");
    let mut refusals = Row::new("*", "answers that were neither an order nor \"sold out\"", "");
    let mut contested = Row::new("*", format!("time to sell {} contested tickets", with.tickets), "s");
    let mut sold = Row::new("*", "tickets sold of these", "");
    for round in 1..=bench.rounds {
        bench.tell(&format!("orders, round {round} of {}", bench.rounds));
        let (a, b) = (plenty(bench, &mut ours).await?, plenty(bench, &mut theirs).await?);
        orders.add_beside(per_second(&a), per_second(&b));
        p50.add_beside(a.measured.latency_ms(0.5), b.measured.latency_ms(0.5));
        p99.add_beside(a.measured.latency_ms(0.99), b.measured.latency_ms(0.99));
        refusals.add_beside(refused(&ours, &a), refused(&theirs, &b));
        if theirs.adapter.sold_out.is_none() {
            continue;
        }
        bench.tell(&format!("contested tickets, round {round} of {}", bench.rounds));
        let (a, b) = (contest(bench, &mut ours, with).await?, contest(bench, &mut theirs, with).await?);
        contested.add_beside(a.measured.seconds, b.measured.seconds);
        sold.add_beside(count(tickets(&ours, &a)), count(tickets(&theirs, &b)));
        refusals.add_beside(refused(&ours, &a), refused(&theirs, &b));
    }
    if theirs.adapter.sold_out.is_none() {
        eprintln!("kassa bench: no contested tickets: the adapter does not tell how {name} says \"sold out\"");
    }
    Ok([orders, p50, p99, contested, sold, refusals].into_iter().filter(|row| !row.rounds.is_empty()).collect())
}

/// Orders where there are tickets for all of them.
async fn plenty(bench: &Bench, contender: &mut Contender) -> Result<Sold, Fatal> {
    let tickets = contender.adapter.tickets.min(bench.tickets);
    let sold = contender.sell(tickets, bench.connections, bench.duration).await?;
    let name = &contender.adapter.name;
    match sold {
        Sold { told: 1.., .. } => Err(format!("{name}: {tickets} tickets were too few for the time")),
        Sold { orders: 0, ref refused, .. } => Err(format!("{name}: no order was accepted: {refused:?}")),
        Sold { .. } => Ok(sold),
    }
    .map_err(Fatal::from)
}

/// Orders of more tickets than there are: until each buyer was told that all are sold.
async fn contest(bench: &Bench, contender: &mut Contender, with: &Comparison<'_>) -> Result<Sold, Fatal> {
    let sold = contender.sell(with.tickets, bench.connections, CONTEST_MAX).await?;
    let (name, tickets) = (&contender.adapter.name, tickets(contender, &sold));
    if tickets > u64::from(with.tickets) {
        eprintln!("kassa bench: {name} has OVERSOLD: {tickets} tickets of {}", with.tickets);
    }
    if sold.told < bench.connections {
        eprintln!("kassa bench: {name} has not sold out in {} s", CONTEST_MAX.as_secs());
    }
    Ok(sold)
}

fn tickets(contender: &Contender, sold: &Sold) -> u64 {
    sold.orders * u64::from(contender.adapter.tickets_per_order)
}

fn per_second(sold: &Sold) -> f64 {
    count(sold.orders) / sold.measured.seconds
}

/// How many answers were refusals; which, is told.
fn refused(contender: &Contender, sold: &Sold) -> f64 {
    for (status, times) in &sold.refused {
        eprintln!("kassa bench: {} has answered {status} to {times} orders", contender.adapter.name);
    }
    count(sold.refused.values().sum())
}

#[expect(clippy::cast_precision_loss, reason = "fewer than 2^52")]
fn count(count: u64) -> f64 {
    count as f64
}

/// The host of a url as requests name it, and the path that all others lie below.
fn place(url: &Url) -> Result<(String, String), Fatal> {
    let host = url.host_str().ok_or("--url has no host")?;
    let host = url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
    Ok((host, url.path().trim_end_matches('/').to_owned()))
}

#[cfg(test)]
mod tests {
    use super::place;

    #[test]
    fn paths_lie_below_that_of_the_url() {
        let place = |url: &str| place(&url.parse().unwrap()).unwrap();
        assert_eq!(place("http://localhost:8000/api/"), ("localhost:8000".to_owned(), "/api".to_owned()));
        assert_eq!(place("http://example.org"), ("example.org".to_owned(), String::new()));
    }
}
