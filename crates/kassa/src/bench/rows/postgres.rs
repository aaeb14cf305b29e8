//! Row b: the orders of row a on PostgreSQL, beside `pgbench` on the same database, in turns.

use std::path::Path;

use super::orders::reserve;
use crate::bench::Bench;
use crate::bench::audit::audit;
use crate::bench::database::Database;
use crate::bench::house::House;
use crate::bench::load::Pace;
use crate::bench::report::{Goal, Row};
use crate::installation::Fatal;

/// The size of the tables of `pgbench`.
const SCALE: u32 = 50;
const SCALE_QUICK: u32 = 5;
/// A commit takes a disk flush and round trips: fewer tickets than elsewhere last as long.
const TICKETS_SHARE: u32 = 4;

/// Measures a server of its own, whose data folder is made in `scratch`.
pub(crate) async fn measure(bench: &Bench, database: &Database, scratch: &Path) -> Result<Vec<Row>, Fatal> {
    let size = if bench.is_quick { SCALE_QUICK } else { SCALE };
    let server = database.serve(&scratch.join("on-postgres"))?;
    bench.tell(&format!("making the tables of pgbench -s {size}"));
    database.fill(size).await?;
    let quick = if bench.is_quick { " (--quick: small tables, short times)" } else { "" };
    let mut row = Row::new("b", format!("orders on PostgreSQL, beside pgbench -s {size}{quick}"), "/s");
    row = row.goal(Goal::AtLeast(2.0));
    let mut house = House::open(server.address).await?;
    for round in 1..=bench.rounds {
        bench.tell(&format!("orders on PostgreSQL, round {round} of {}", bench.rounds));
        let sale = house.sale(bench.tickets / TICKETS_SHARE).await?;
        let beside = database.transactions(bench.duration.as_secs()).await?;
        let (ours, scripts) = reserve(bench, server.address, &house, &sale, Pace::Closed).await?;
        audit(&mut house, &sale, scripts.iter().flat_map(|script| &script.orders)).await?;
        row.add_beside(ours.per_second(), beside);
    }
    server.stop()?;
    Ok(vec![row])
}
