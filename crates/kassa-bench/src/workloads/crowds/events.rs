//! Many events on sale at once, beside the sale of one.

use std::net::SocketAddr;

use super::RATE_GOAL;
use crate::audit::audit_sale;
use crate::connection::HttpResponse;
use crate::context::BenchContext;
use crate::error::BenchError;
use crate::load::{self, LoadPace, LoadResult, LoadScript};
use crate::report::ReportRow;
use crate::scripts::ReserveScript;
use crate::sellers::{Sale, Sellers};
use crate::workloads::orders::sell;

/// Events on sale.
const EVENTS: u32 = 200;
const EVENTS_QUICK: u32 = 20;

pub(super) async fn measure(bench: &BenchContext) -> Result<ReportRow, BenchError> {
    let events = if bench.is_quick { EVENTS_QUICK } else { EVENTS };
    let what = format!("orders of {events} events on sale at once, beside those of one");
    let mut row = ReportRow::new("o", what, "/s").goal(RATE_GOAL);
    let mut sellers = Sellers::open(bench.resolve_address()).await?;
    for round in 1..=bench.rounds {
        let one = sellers.open_sale(bench.tickets_per_sale).await?;
        let many = sellers.open_sales(usize::try_from(events)?, &[bench.tickets_per_sale / events]).await?;
        bench.report_progress(&format!("{events} events on sale, round {round} of {}", bench.rounds));
        let beside = sell(bench, bench.resolve_address(), &mut sellers, &one).await?;
        let together = sell_all(bench, bench.resolve_address(), &mut sellers, &many).await?;
        row.add_with_baseline(together.per_second(), beside);
    }
    Ok(row)
}

/// A sale of all these together.
pub(in crate::workloads) async fn sell_all(
    bench: &BenchContext,
    address: SocketAddr,
    sellers: &mut Sellers,
    sales: &[Sale],
) -> Result<LoadResult, BenchError> {
    let scripts = (0..bench.connections)
        .map(|connection| RoundRobinScript {
            scripts: sales.iter().map(|sale| ReserveScript::new(sale, &sellers.agent_key)).collect(),
            // Not all connections begin with the same event.
            at: connection * sales.len() / bench.connections,
        })
        .collect();
    let (sold, scripts) = load::run_load(address, scripts, LoadPace::ClosedLoop, bench.duration).await?;
    for (at, sale) in sales.iter().enumerate() {
        audit_sale(sellers, sale, scripts.iter().flat_map(|script| &script.scripts[at].orders)).await?;
    }
    Ok(sold)
}

/// Asks what each of some scripts asks, in turn.
struct RoundRobinScript<S> {
    scripts: Vec<S>,
    /// Whose turn it is.
    at: usize,
}

impl<S: LoadScript> LoadScript for RoundRobinScript<S> {
    fn next_request(&mut self) -> Option<&[u8]> {
        self.at = (self.at + 1) % self.scripts.len();
        self.scripts[self.at].next_request()
    }

    fn on_response(&mut self, answer: &HttpResponse<'_>) -> Result<(), BenchError> {
        self.scripts[self.at].on_response(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::RoundRobinScript;
    use crate::connection::HttpResponse;
    use crate::load::LoadScript;
    use crate::request::Credential;
    use crate::scripts::ReserveScript;
    use crate::sellers::Sale;

    #[test]
    fn each_order_is_of_the_next_event_and_noted_with_it() {
        let sale = |event: &str| Sale { event: event.to_owned(), sets: vec!["set".to_owned()] };
        let scripts = ["first", "second", "third"].map(|event| ReserveScript::new(&sale(event), &Credential::None));
        let mut script = RoundRobinScript { scripts: scripts.into(), at: 1 };
        let body = format!("{{\"id\":\"{}\"}}", "0".repeat(24));
        for event in ["third", "first", "second", "third"] {
            let request = String::from_utf8(script.next_request().unwrap().to_vec()).unwrap();
            assert!(request.contains(event), "{request}");
            let answer = HttpResponse { status: 201, total: None, cookie: None, body: body.as_bytes() };
            script.on_response(&answer).unwrap();
        }
        let orders: Vec<usize> = script.scripts.iter().map(|script| script.orders.len()).collect();
        assert_eq!(orders, [1, 1, 2]);
    }
}
