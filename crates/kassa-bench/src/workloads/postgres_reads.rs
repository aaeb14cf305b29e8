//! Row p: reads of an order and of an event at two servers of one PostgreSQL database, while each keeps its answers.

use std::path::Path;

use super::reads::measure_reads_at;
use crate::api_client::{ApiClient, response_id};
use crate::context::BenchContext;
use crate::database::BenchDatabase;
use crate::error::BenchError;
use crate::report::{ReportGoal, ReportRow};
use crate::scripts::{ORDERS_PATH, order_body};
use crate::sellers::Sellers;

/// Tickets of the event that is read.
const TICKETS: u32 = 10;

pub(super) async fn measure(
    bench: &BenchContext,
    database: &BenchDatabase,
    scratch: &Path,
) -> Result<Vec<ReportRow>, BenchError> {
    let servers = [
        database.serve(&bench.program, &scratch.join("one-of-two"))?,
        database.serve(&bench.program, &scratch.join("other-of-two"))?,
    ];
    let addresses = servers.each_ref().map(|server| server.address);
    let mut sellers = Sellers::open(addresses[0]).await?;
    let sale = sellers.open_sale(TICKETS).await?;
    let mut api = ApiClient::open(addresses[0], sellers.agent_key.clone()).await?;
    let order = response_id(&api.post(ORDERS_PATH, &order_body(&sale, 0)).await?)?;
    let row = |what: &str| {
        ReportRow::new("p", format!("reads of {what} at two servers on PostgreSQL"), "/s")
            .goal(ReportGoal::AtLeast(0.4))
    };
    let mut rows = [
        (row("an order"), format!("{ORDERS_PATH}/{order}")),
        (row("an event"), format!("/v1/resources/events/{}", sale.event)),
    ];
    for round in 1..=bench.rounds {
        bench.report_progress(&format!("reads at two servers, round {round} of {}", bench.rounds));
        for (row, path) in &mut rows {
            let (ours, beside) = measure_reads_at(bench, &addresses, path, &sellers.agent_key).await?;
            row.add_with_baseline(ours, beside);
        }
    }
    servers.into_iter().try_for_each(crate::server::ServerProcess::stop)?;
    Ok(rows.map(|(row, _)| row).into())
}
