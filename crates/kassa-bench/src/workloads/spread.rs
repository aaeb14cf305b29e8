//! Row q: the orders of row a on a database that Citus spreads over several servers, beside a plain PostgreSQL, in turns.

use std::path::Path;

use super::crowds::events::sell_all;
use super::postgres::{EVENTS, TICKETS_DIVISOR, TICKETS_DIVISOR_OF_MANY};
use crate::context::BenchContext;
use crate::database::BenchDatabase;
use crate::error::BenchError;
use crate::load::LoadResult;
use crate::report::{ReportGoal, ReportRow};
use crate::sellers::Sellers;
use crate::server::{ServerProcess, distribute};

/// A server on one of the databases.
struct Side {
    server: ServerProcess,
    sellers: Sellers,
}

/// Measures servers of its own, whose data folders are made in `scratch`.
pub(super) async fn measure(
    bench: &BenchContext,
    plain: &BenchDatabase,
    spread: &str,
    scratch: &Path,
) -> Result<Vec<ReportRow>, BenchError> {
    distribute(&bench.program, &scratch.join("distribute"), spread)?;
    let spread = ServerProcess::start_kassa_on_postgres(&bench.program, &scratch.join("spread"), spread)?;
    let mut spread = Side::open(spread).await?;
    let mut plain = Side::open(plain.serve(&bench.program, &scratch.join("plain"))?).await?;
    let mut rows = Vec::new();
    for (events, goal) in [(1, 0.9), (EVENTS, 0.8)] {
        let of = if events == 1 { "one event".to_owned() } else { format!("{events} events") };
        let what = format!("orders of {of} on several servers, beside a plain database");
        let mut pace = ReportRow::new("q", what, "/s").goal(ReportGoal::AtLeast(goal));
        let what = format!("processor time of all parts an order, {of}");
        let mut processor = ReportRow::new("q", what, "\u{b5}s").goal(ReportGoal::AtMost(1.3));
        for round in 1..=bench.rounds {
            bench.report_progress(&format!("{of} on several servers, round {round} of {}", bench.rounds));
            let beside = plain.sell(bench, events).await?;
            let ours = spread.sell(bench, events).await?;
            pace.add_with_baseline(ours.per_second(), beside.per_second());
            processor.add_with_baseline(ours.processor_us_each(), beside.processor_us_each());
        }
        rows.extend([pace, processor]);
    }
    plain.server.stop()?;
    spread.server.stop()?;
    Ok(rows)
}

impl Side {
    async fn open(server: ServerProcess) -> Result<Self, BenchError> {
        let sellers = Sellers::open(server.address).await?;
        Ok(Self { server, sellers })
    }

    /// Sells so many events at once.
    async fn sell(&mut self, bench: &BenchContext, events: usize) -> Result<LoadResult, BenchError> {
        let divisor = if events == 1 { TICKETS_DIVISOR } else { TICKETS_DIVISOR_OF_MANY };
        let tickets = bench.tickets_per_sale / divisor;
        let sales = self.sellers.open_sales(events, &[tickets]).await?;
        sell_all(bench, self.server.address, &mut self.sellers, &sales).await
    }
}
