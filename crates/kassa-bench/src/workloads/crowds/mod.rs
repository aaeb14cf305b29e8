//! Row o: a crowd of crowds: many events, many connections, long lists and an agent with many orders, each beside the
//! single case.

mod agents;
pub(super) mod events;
mod lists;
mod phones;

use std::path::Path;

use hdrhistogram::Histogram;

use crate::api_client::ApiClient;
use crate::context::BenchContext;
use crate::error::BenchError;
use crate::load;
use crate::report::{ReportGoal, ReportRow};
use crate::stopwatch;

/// What a crowd's rate must be, beside that of the single case.
const RATE_GOAL: ReportGoal = ReportGoal::AtLeast(0.5);
/// How many times as long something may take in a crowd.
const TIME_GOAL: ReportGoal = ReportGoal::AtMost(2.0);
/// How often a page is asked for in a round.
const ASKED_PER_ROUND: u32 = 20;
const ASKED_PER_ROUND_QUICK: u32 = 3;

/// Measures all of it. Lists need servers of their own, which have nothing else.
pub(super) async fn measure(bench: &BenchContext, scratch: &Path) -> Result<Vec<ReportRow>, BenchError> {
    let mut rows = vec![events::measure(bench).await?, phones::measure(bench).await?];
    if bench.spawned_server().is_some() {
        rows.extend(lists::measure(bench, scratch).await?);
    } else {
        eprintln!("kassa bench: the lists of o are left out: they need servers of their own");
    }
    rows.extend(agents::measure(bench).await?);
    Ok(rows)
}

fn asked_per_round(bench: &BenchContext) -> u32 {
    if bench.is_quick { ASKED_PER_ROUND_QUICK } else { ASKED_PER_ROUND }
}

/// How long pages took that were asked for in turns: of the crowd, and of the single case.
struct PageTimes {
    ours_us: Histogram<u64>,
    beside_us: Histogram<u64>,
}

impl PageTimes {
    fn new() -> Result<Self, BenchError> {
        Ok(Self { ours_us: load::new_histogram()?, beside_us: load::new_histogram()? })
    }

    /// Adds the middle of the times to a row.
    fn add_to(&self, row: &mut ReportRow) {
        row.add_with_baseline(load::quantile_ms(&self.ours_us, 0.5), load::quantile_ms(&self.beside_us, 0.5));
    }
}

/// Asks for a page, and notes how long it took.
async fn time_page(api: &mut ApiClient, path: &str, took_us: &mut Histogram<u64>) -> Result<(), BenchError> {
    let begun = stopwatch::now();
    api.send("GET", path, None).await?;
    took_us.saturating_record(u64::try_from((stopwatch::now() - begun).as_micros())?);
    Ok(())
}
