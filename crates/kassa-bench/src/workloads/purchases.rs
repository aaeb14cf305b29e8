//! Row e: whole purchases: reserve, name the customer, pay.

use super::{EchoBaseline, RecordedExchange};
use crate::api_client::{ApiClient, response_id};
use crate::audit::audit_sale;
use crate::context::BenchContext;
use crate::error::BenchError;
use crate::load::{self, LoadPace};
use crate::report::{ReportGoal, ReportRow};
use crate::scripts::{ORDERS_PATH, PurchaseScript, customer_body, order_body, payment_body};
use crate::sellers::Sellers;

/// Requests of a purchase.
const REQUESTS_PER_PURCHASE: f64 = 3.0;

pub(crate) async fn measure(bench: &BenchContext) -> Result<Vec<ReportRow>, BenchError> {
    let mut sellers = Sellers::open(bench.resolve_address()).await?;
    let mut row = ReportRow::new("e", "purchases: reserve, customer, pay", "/s").goal(ReportGoal::AtLeast(0.25));
    for round in 1..=bench.rounds {
        let sale = sellers.open_sale(bench.tickets_per_sale).await?;
        let mut api = ApiClient::open(bench.resolve_address(), sellers.agent_key.clone()).await?;
        let order = response_id(&api.post(ORDERS_PATH, &order_body(&sale, 0)).await?)?;
        let order = format!("{ORDERS_PATH}/{order}");
        let exchanges = [
            RecordedExchange::record(bench, "POST", ORDERS_PATH, &sellers.agent_key, Some(order_body(&sale, 0)))
                .await?,
            RecordedExchange::record(bench, "PATCH", &order, &sellers.agent_key, Some(customer_body(0))).await?,
            RecordedExchange::record(bench, "PATCH", &order, &sellers.agent_key, Some(payment_body())).await?,
        ];
        let echo = EchoBaseline::prepare(bench, &exchanges).await?;
        let sale = sellers.open_sale(bench.tickets_per_sale).await?;
        bench.report_progress(&format!("purchases, round {round} of {}", bench.rounds));
        let beside = echo.measure(bench, LoadPace::ClosedLoop).await?;
        let scripts = (0..bench.connections)
            .map(|buyer| PurchaseScript::with_customer(&sale, &sellers.agent_key, buyer))
            .collect();
        let (ours, scripts) =
            load::run_load(bench.resolve_address(), scripts, LoadPace::ClosedLoop, bench.duration).await?;
        audit_sale(&mut sellers, &sale, scripts.iter().flat_map(|script| &script.orders)).await?;
        row.add_with_baseline(ours.per_second() / REQUESTS_PER_PURCHASE, beside.per_second() / REQUESTS_PER_PURCHASE);
    }
    Ok(vec![row])
}
