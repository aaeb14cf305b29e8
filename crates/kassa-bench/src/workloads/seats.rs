//! Row i: a hall of 80,000 numbered seats.

use crate::api_client::ApiClient;
use crate::context::BenchContext;
use crate::error::BenchError;
use crate::report::{ReportGoal, ReportRow};
use crate::request::Credential;
use crate::sellers::Sellers;
use crate::stopwatch;

const ROWS: u32 = 800;
const SEATS_PER_ROW: u32 = 100;

pub(crate) async fn measure(bench: &BenchContext) -> Result<Vec<ReportRow>, BenchError> {
    let mut sellers = Sellers::open(bench.resolve_address()).await?;
    let mut made = ReportRow::new("i", "80,000 seats put on sale", "s").goal(ReportGoal::AtMost(2.0));
    let mut read = ReportRow::new("i", "80,000 seats read", "ms").goal(ReportGoal::AtMost(300.0));
    for round in 1..=bench.rounds {
        bench.report_progress(&format!("seats, round {round} of {}", bench.rounds));
        let start = stopwatch::now();
        let sale = sellers.open_seated_sale(ROWS, SEATS_PER_ROW).await?;
        made.add((stopwatch::now() - start).as_secs_f64());
        let mut visitor = ApiClient::open(bench.resolve_address(), Credential::None).await?;
        let start = stopwatch::now();
        let answer = visitor.send("GET", &format!("/v1/resources/events/{}/tickets", sale.event), None).await?;
        read.add((stopwatch::now() - start).as_secs_f64() * 1_000.0);
        if answer.total != Some(u64::from(ROWS * SEATS_PER_ROW)) {
            return Err(format!("{:?} seats were read", answer.total).into());
        }
    }
    Ok(vec![made, read])
}
