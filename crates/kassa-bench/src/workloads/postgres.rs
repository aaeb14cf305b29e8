//! Row b: the orders of row a on PostgreSQL, beside `pgbench` on the same database, in turns; and those of many events
//! beside those of one.

use std::path::Path;

use super::crowds::events::sell_all;
use super::orders::sell;
use crate::context::BenchContext;
use crate::database::BenchDatabase;
use crate::error::BenchError;
use crate::report::{ReportGoal, ReportRow};
use crate::sellers::Sellers;

/// The size of the tables of `pgbench`.
const PGBENCH_SCALE: u32 = 50;
const PGBENCH_SCALE_QUICK: u32 = 5;
/// Events on sale at once.
pub(super) const EVENTS: usize = 16;
/// A commit takes a disk flush and round trips: fewer tickets than elsewhere last as long.
pub(super) const TICKETS_DIVISOR: u32 = 4;
/// The same for each of the events.
pub(super) const TICKETS_DIVISOR_OF_MANY: u32 = 32;

/// Measures a server of its own, whose data folder is made in `scratch`.
pub(crate) async fn measure(
    bench: &BenchContext,
    database: &BenchDatabase,
    scratch: &Path,
) -> Result<Vec<ReportRow>, BenchError> {
    let size = if bench.is_quick { PGBENCH_SCALE_QUICK } else { PGBENCH_SCALE };
    let server = database.serve(&bench.program, &scratch.join("on-postgres"))?;
    bench.report_progress(&format!("making the tables of pgbench -s {size}"));
    database.create_pgbench_tables(size).await?;
    let quick = if bench.is_quick { " (--quick: small tables, short times)" } else { "" };
    let mut row = ReportRow::new("b", format!("orders on PostgreSQL, beside pgbench -s {size}{quick}"), "/s");
    row = row.goal(ReportGoal::AtLeast(2.5));
    let mut many = ReportRow::new("b", format!("orders of {EVENTS} events on PostgreSQL, beside those of one"), "/s");
    many = many.goal(ReportGoal::AtLeast(0.95));
    let mut sellers = Sellers::open(server.address).await?;
    for round in 1..=bench.rounds {
        bench.report_progress(&format!("orders on PostgreSQL, round {round} of {}", bench.rounds));
        let sale = sellers.open_sale(bench.tickets_per_sale / TICKETS_DIVISOR).await?;
        let beside = database.transactions_per_second(bench.duration.as_secs()).await?;
        let one = sell(bench, server.address, &mut sellers, &sale).await?;
        row.add_with_baseline(one, beside);
        let sales = sellers.open_sales(EVENTS, &[bench.tickets_per_sale / TICKETS_DIVISOR_OF_MANY]).await?;
        many.add_with_baseline(sell_all(bench, server.address, &mut sellers, &sales).await?.per_second(), one);
    }
    server.stop()?;
    Ok(vec![row, many])
}
