//! Row e: whole purchases: reserve, name the customer, pay.

use super::{Echoed, Exchange};
use crate::bench::Bench;
use crate::bench::api::{Api, id};
use crate::bench::audit::audit;
use crate::bench::house::House;
use crate::bench::load::{self, Pace};
use crate::bench::report::{Goal, Row};
use crate::bench::script::{Buy, ORDERS, customer, payment, wish};
use crate::installation::Fatal;

/// Requests of a purchase.
const REQUESTS: f64 = 3.0;

pub(crate) async fn measure(bench: &Bench) -> Result<Vec<Row>, Fatal> {
    let mut house = House::open(bench.address()).await?;
    let mut row = Row::new("e", "purchases: reserve, customer, pay", "/s").goal(Goal::AtLeast(0.4));
    for round in 1..=bench.rounds {
        let sale = house.sale(bench.tickets).await?;
        let mut api = Api::open(bench.address(), house.key.clone()).await?;
        let order = id(&api.post(ORDERS, &wish(&sale, 0)).await?)?;
        let order = format!("{ORDERS}/{order}");
        let exchanges = [
            Exchange::with(bench, "POST", ORDERS, &house.key, Some(wish(&sale, 0))).await?,
            Exchange::with(bench, "PATCH", &order, &house.key, Some(customer(0))).await?,
            Exchange::with(bench, "PATCH", &order, &house.key, Some(payment())).await?,
        ];
        let echo = Echoed::learn(bench, &exchanges).await?;
        let sale = house.sale(bench.tickets).await?;
        bench.tell(&format!("purchases, round {round} of {}", bench.rounds));
        let beside = echo.measure(bench, Pace::Closed).await?;
        let scripts = (0..bench.connections).map(|buyer| Buy::named(&sale, &house.key, buyer)).collect();
        let (ours, scripts) = load::run(bench.address(), scripts, Pace::Closed, bench.duration).await?;
        audit(&mut house, &sale, scripts.iter().flat_map(|script| &script.orders)).await?;
        row.add_beside(ours.per_second() / REQUESTS, beside.per_second() / REQUESTS);
    }
    Ok(vec![row])
}
