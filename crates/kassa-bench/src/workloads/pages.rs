//! Row m: pages of the shop, as everybody sees them.

use super::reads::measure_reads;
use crate::api_client::ApiClient;
use crate::context::BenchContext;
use crate::error::BenchError;
use crate::report::{ReportGoal, ReportRow};
use crate::request::Credential;
use crate::sellers::Sellers;

/// Events on the first page.
const EVENTS: u32 = 12;
/// Tickets of each.
const TICKETS_PER_EVENT: u32 = 1_000;

const FIRST_PAGE_PATH: &str = "/";

pub(crate) async fn measure(bench: &BenchContext) -> Result<Vec<ReportRow>, BenchError> {
    let mut sellers = Sellers::open(bench.resolve_address()).await?;
    for _ in 0..EVENTS {
        sellers.open_sale(TICKETS_PER_EVENT).await?;
    }
    let event = event_page_path(bench).await?;
    let goal = ReportGoal::AtLeast(0.5);
    let mut first_page = ReportRow::new("m", "first pages of the shop", "/s").goal(goal);
    let mut event_page = ReportRow::new("m", "pages of an event", "/s").goal(goal);
    for round in 1..=bench.rounds {
        bench.report_progress(&format!("pages, round {round} of {}", bench.rounds));
        for (row, path) in [(&mut first_page, FIRST_PAGE_PATH), (&mut event_page, event.as_str())] {
            let (ours, beside) = measure_reads(bench, path, &Credential::None).await?;
            row.add_with_baseline(ours, beside);
        }
    }
    Ok(vec![first_page, event_page])
}

/// The path of an event's page, as the first page names it.
async fn event_page_path(bench: &BenchContext) -> Result<String, BenchError> {
    let mut visitor = ApiClient::open(bench.resolve_address(), Credential::None).await?;
    let page = visitor.send("GET", FIRST_PAGE_PATH, None).await?;
    let html = std::str::from_utf8(page.body)?;
    let path = html.split('"').find(|text| text.starts_with("/e/")).ok_or("the first page names no event")?;
    Ok(path.to_owned())
}
