//! An agent with many orders, beside one with few: its first page of orders, and a sale.

use std::time::Duration;

use super::{PageTimes, RATE_GOAL, TIME_GOAL, asked_per_round, time_page};
use crate::api_client::ApiClient;
use crate::audit::audit_sale;
use crate::context::BenchContext;
use crate::error::BenchError;
use crate::load::{self, LoadPace};
use crate::report::ReportRow;
use crate::scripts::{ReserveScript, TICKETS_PER_ORDER};
use crate::sellers::Sellers;
use crate::workloads::orders::sell;

/// Orders that agents have made before they are measured.
const MANY_ORDERS: usize = 100_000;
const MANY_ORDERS_QUICK: usize = 5_000;
const FEW_ORDERS: usize = 100;
/// First pages of as many orders as the agent with few has, and what they are called.
const PAGES: [(&str, &str); 2] =
    [("version 1", "/v1/resources/orders?limit=100"), ("version 2", "/v2/resources/orders?page_size=100")];
/// Longer than an agent's first orders take on any machine.
const NO_TIME_LIMIT: Duration = Duration::from_hours(1);

pub(super) async fn measure(bench: &BenchContext) -> Result<Vec<ReportRow>, BenchError> {
    let many_orders = if bench.is_quick { MANY_ORDERS_QUICK } else { MANY_ORDERS };
    let what = format!("of an agent with {many_orders} orders, beside one with {FEW_ORDERS}");
    let mut pages =
        PAGES.map(|(name, _)| ReportRow::new("o", format!("100 orders {what}: {name}"), "ms").goal(TIME_GOAL));
    let mut sale = ReportRow::new("o", format!("orders {what}"), "/s").goal(RATE_GOAL);
    bench.report_progress(&format!("making the {many_orders} orders of an agent"));
    let mut many = agent_with_orders(bench, many_orders).await?;
    for round in 1..=bench.rounds {
        bench.report_progress(&format!("an agent with {many_orders} orders, round {round} of {}", bench.rounds));
        // A sale leaves it with more than a few: it is another one in each round.
        let mut few = agent_with_orders(bench, FEW_ORDERS).await?;
        let mut agents = [connect_agent(bench, &few).await?, connect_agent(bench, &many).await?];
        for (row, (_, path)) in pages.iter_mut().zip(PAGES) {
            let mut times = PageTimes::new()?;
            let [of_few, of_many] = &mut agents;
            for _ in 0..asked_per_round(bench) {
                time_page(of_few, path, &mut times.beside_us).await?;
                time_page(of_many, path, &mut times.ours_us).await?;
            }
            times.add_to(row);
        }
        let beside = sell_an_event(bench, &mut few).await?;
        sale.add_with_baseline(sell_an_event(bench, &mut many).await?, beside);
    }
    Ok(pages.into_iter().chain([sale]).collect())
}

/// A new agent that has made so many orders.
async fn agent_with_orders(bench: &BenchContext, orders: usize) -> Result<Sellers, BenchError> {
    let mut sellers = Sellers::open(bench.resolve_address()).await?;
    let sale = sellers.open_sale(u32::try_from(orders * TICKETS_PER_ORDER)?).await?;
    let scripts = (0..bench.connections)
        .map(|at| ReserveScript::at_most(share_of(orders, bench.connections, at), &sale, &sellers.agent_key))
        .collect();
    let (_, scripts) = load::run_load(bench.resolve_address(), scripts, LoadPace::ClosedLoop, NO_TIME_LIMIT).await?;
    audit_sale(&mut sellers, &sale, scripts.iter().flat_map(|script| &script.orders)).await?;
    Ok(sellers)
}

/// How many of so many orders are made over one of some connections.
fn share_of(orders: usize, connections: usize, at: usize) -> u64 {
    (orders / connections + usize::from(at < orders % connections)) as u64
}

async fn connect_agent(bench: &BenchContext, sellers: &Sellers) -> Result<ApiClient, BenchError> {
    ApiClient::open(bench.resolve_address(), sellers.agent_key.clone()).await
}

/// Orders a second of an event that is new.
async fn sell_an_event(bench: &BenchContext, sellers: &mut Sellers) -> Result<f64, BenchError> {
    let sale = sellers.open_sale(bench.tickets_per_sale).await?;
    sell(bench, bench.resolve_address(), sellers, &sale).await
}

#[cfg(test)]
mod tests {
    use super::share_of;

    #[test]
    fn all_orders_are_made_and_no_connection_makes_two_more_than_another() {
        for (orders, connections) in [(100, 64), (100_000, 64), (3, 64), (7, 1)] {
            let shares: Vec<u64> = (0..connections).map(|at| share_of(orders, connections, at)).collect();
            assert_eq!(shares.iter().sum::<u64>(), orders as u64);
            assert!(shares.iter().max().unwrap() - shares.iter().min().unwrap() <= 1, "{shares:?}");
        }
    }
}
