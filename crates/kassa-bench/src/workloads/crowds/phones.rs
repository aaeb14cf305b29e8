//! Thousands of connections, half of them slow phones, beside the usual number of connections.

use std::time::Duration;

use super::RATE_GOAL;
use crate::audit::audit_sale;
use crate::connection::{Connection, TransferPace};
use crate::context::BenchContext;
use crate::error::BenchError;
use crate::load::{self, LoadPace};
use crate::open_files::allow_connections;
use crate::report::ReportRow;
use crate::request::{Credential, kassa_request};
use crate::scripts::ReserveScript;
use crate::sellers::{Sale, Sellers};
use crate::workloads::orders::sell;

/// Connections of each kind.
const FAST: usize = 1_000;
const PHONES: usize = 1_000;
const FAST_QUICK: usize = 100;
const PHONES_QUICK: usize = 100;
/// What a phone sends and reads at a time: an order goes in four or five pieces, and its answer comes in some more.
const SENT_BYTES: usize = 80;
const READ_BYTES: usize = 256;
/// What a phone waits between two pieces, in milliseconds. Each waits a little longer than the one before, up to the
/// longest, or all of them would send at the same moments.
const WAIT_MS: u64 = 80;
const WAIT_MS_SPREAD: u64 = 41;
/// So long the last answers may take after the sale.
const LAST_ANSWERS_MAX: Duration = Duration::from_mins(1);

pub(super) async fn measure(bench: &BenchContext) -> Result<ReportRow, BenchError> {
    let (fast, phones) = if bench.is_quick { (FAST_QUICK, PHONES_QUICK) } else { (FAST, PHONES) };
    allow_connections(fast + phones)?;
    let what = format!(
        "orders over {} connections, half of them slow phones, beside {} connections",
        fast + phones,
        bench.connections
    );
    let mut row = ReportRow::new("o", what, "/s").goal(RATE_GOAL);
    let mut sellers = Sellers::open(bench.resolve_address()).await?;
    for round in 1..=bench.rounds {
        let sales =
            [sellers.open_sale(bench.tickets_per_sale).await?, sellers.open_sale(bench.tickets_per_sale).await?];
        bench.report_progress(&format!("{phones} slow phones, round {round} of {}; beside them", bench.rounds));
        let beside = sell(bench, bench.resolve_address(), &mut sellers, &sales[0]).await?;
        row.add_with_baseline(sell_to_crowd(bench, &mut sellers, &sales[1], fast, phones).await?, beside);
    }
    Ok(row)
}

/// Orders a second of both kinds of connections together.
async fn sell_to_crowd(
    bench: &BenchContext,
    sellers: &mut Sellers,
    sale: &Sale,
    fast: usize,
    phones: usize,
) -> Result<f64, BenchError> {
    let fast_connections = open_connections(bench, fast).await?;
    let mut phone_connections = open_connections(bench, phones).await?;
    for (phone, connection) in phone_connections.iter_mut().enumerate() {
        connection.slow_down(phone_pace(phone));
    }
    let scripts = |count| (0..count).map(|_| ReserveScript::new(sale, &sellers.agent_key)).collect::<Vec<_>>();
    let run = |connections, scripts| load::run_load_over(connections, scripts, LoadPace::ClosedLoop, bench.duration);
    // An order that was begun is waited for, and a connection that is closed instead is an error: so each phone that has
    // an order has the answers to all of its requests.
    let selling =
        async { tokio::try_join!(run(fast_connections, scripts(fast)), run(phone_connections, scripts(phones))) };
    let Ok(sold) = tokio::time::timeout(bench.duration + LAST_ANSWERS_MAX, selling).await else {
        return Err(format!("some of {} connections are not answered", fast + phones).into());
    };
    let ((to_fast, fast_scripts), (to_phones, phone_scripts)) = sold?;
    let unanswered = phone_scripts.iter().filter(|script| script.orders.is_empty()).count();
    if unanswered > 0 {
        return Err(format!("{unanswered} of {phones} slow phones were never answered").into());
    }
    let scripts = fast_scripts.iter().chain(&phone_scripts);
    audit_sale(sellers, sale, scripts.flat_map(|script| &script.orders)).await?;
    Ok(to_fast.per_second() + to_phones.per_second())
}

/// Connections that the server has accepted: each was answered once. It accepts only so many a second of one address.
async fn open_connections(bench: &BenchContext, count: usize) -> Result<Vec<Connection>, BenchError> {
    let request = kassa_request("GET", "/v1/resources/events?limit=1", &Credential::None, None);
    let mut connections = Vec::with_capacity(count);
    for _ in 0..count {
        let mut connection = Connection::open(bench.resolve_address()).await?;
        connection.send(&request).await?;
        connections.push(connection);
    }
    Ok(connections)
}

/// How slow the phone with this number is.
fn phone_pace(phone: usize) -> TransferPace {
    let wait = WAIT_MS + phone as u64 % WAIT_MS_SPREAD;
    TransferPace { sent_bytes: SENT_BYTES, read_bytes: READ_BYTES, interval: Duration::from_millis(wait) }
}
