//! Row r: the orders of row b with a longer way between server and database, beside those without, in turns.

use std::path::Path;
use std::time::Duration;

use super::orders::sell;
use super::postgres::TICKETS_DIVISOR;
use crate::context::BenchContext;
use crate::database::BenchDatabase;
use crate::error::BenchError;
use crate::report::{ReportGoal, ReportRow};
use crate::sellers::Sellers;
use crate::server::ServerProcess;

/// How much longer each way takes, in milliseconds, and the share of its pace that a sale should keep.
const DELAYS: [(u64, Option<f64>); 2] = [(1, Some(0.5)), (5, None)];

/// Measures servers of its own, whose data folders are made in `scratch`.
pub(super) async fn measure(
    bench: &BenchContext,
    database: &BenchDatabase,
    scratch: &Path,
) -> Result<Vec<ReportRow>, BenchError> {
    let near = database.serve(&bench.program, &scratch.join("near"))?;
    let mut far = Vec::new();
    for (ms, goal) in DELAYS {
        let server =
            database.serve_far(&bench.program, &scratch.join(format!("far-{ms}")), Duration::from_millis(ms))?;
        let what = format!("orders on PostgreSQL, {ms} ms away each way, beside those near it");
        let row = ReportRow::new("r", what, "/s");
        far.push((server, if let Some(goal) = goal { row.goal(ReportGoal::AtLeast(goal)) } else { row }));
    }
    let mut sellers = Sellers::open(near.address).await?;
    for round in 1..=bench.rounds {
        bench.report_progress(&format!("orders far from PostgreSQL, round {round} of {}", bench.rounds));
        let sale = sellers.open_sale(bench.tickets_per_sale / TICKETS_DIVISOR).await?;
        let beside = sell(bench, near.address, &mut sellers, &sale).await?;
        for (server, row) in &mut far {
            let sale = sellers.open_sale(bench.tickets_per_sale / TICKETS_DIVISOR).await?;
            row.add_with_baseline(sell(bench, server.address, &mut sellers, &sale).await?, beside);
        }
    }
    let (servers, rows): (Vec<_>, Vec<_>) = far.into_iter().unzip();
    servers.into_iter().chain([near]).try_for_each(ServerProcess::stop)?;
    Ok(rows)
}
