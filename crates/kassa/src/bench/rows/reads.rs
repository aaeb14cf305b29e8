//! Row d: reads of an order, of an event, and of a hundred events to sell.

use std::time::Instant;

use serde_json::Value;

use super::{Echoed, Exchange};
use crate::bench::api::{Api, id};
use crate::bench::house::House;
use crate::bench::load::{self, Pace};
use crate::bench::report::{Goal, Row};
use crate::bench::request::{Credential, request};
use crate::bench::script::{Again, ORDERS, wish};
use crate::bench::{Bench, stopwatch};
use crate::installation::Fatal;

/// Events to sell.
const EVENTS: u32 = 100;
/// Tickets of each.
const TICKETS: u32 = 10;
/// How often a list is written from memory to know how long that takes.
const WRITES: u32 = 100;

const LIST: &str = "/v1/services/simple/events";

pub(crate) async fn measure(bench: &Bench) -> Result<Vec<Row>, Fatal> {
    let mut house = House::open(bench.address()).await?;
    let mut sale = house.sale(TICKETS).await?;
    for _ in 1..EVENTS {
        sale = house.sale(TICKETS).await?;
    }
    let mut api = Api::open(bench.address(), house.key.clone()).await?;
    let order = id(&api.post(ORDERS, &wish(&sale, 0)).await?)?;
    let order = format!("{ORDERS}/{order}");
    let event = format!("/v1/resources/events/{}", sale.event);
    let mut one_order = Row::new("d", "reads of an order", "/s").goal(Goal::AtLeast(0.6));
    let mut one_event = Row::new("d", "reads of an event", "/s").goal(Goal::AtLeast(0.6));
    let mut list = Row::new("d", "a list of 100 events to sell, beside writing it from memory", "ms");
    list = list.goal(Goal::AtMost(2.0));
    for round in 1..=bench.rounds {
        bench.tell(&format!("reads, round {round} of {}", bench.rounds));
        for (row, path) in [(&mut one_order, &order), (&mut one_event, &event)] {
            let (ours, beside) = read(bench, path, &house.key).await?;
            row.add_beside(ours, beside);
        }
        let again = Again::new(vec![request("GET", LIST, &house.key, None)]);
        let (ours, _) = load::run(bench.address(), vec![again], Pace::Closed, bench.duration).await?;
        let answer = Exchange::with(bench, "GET", LIST, &house.key, None).await?.answer;
        list.add_beside(ours.latency_ms(0.5), write_ms(&serde_json::from_slice(&answer)?)?);
    }
    Ok(vec![one_order, one_event, list])
}

/// Reads a second of the server, and of an echo that answers the same.
async fn read(bench: &Bench, path: &str, key: &Credential) -> Result<(f64, f64), Fatal> {
    let probe = Exchange::with(bench, "GET", path, key, None).await?;
    let echo = Echoed::learn(bench, &[probe]).await?;
    let beside = echo.measure(bench, Pace::Closed).await?;
    let again = Again::new(vec![request("GET", path, key, None)]);
    let scripts = vec![again; bench.connections];
    let (ours, _) = load::run(bench.address(), scripts, Pace::Closed, bench.duration).await?;
    Ok((ours.per_second(), beside.per_second()))
}

/// How long it takes to write a list as JSON, in milliseconds.
fn write_ms(list: &Value) -> Result<f64, Fatal> {
    let start: Instant = stopwatch::now();
    let mut bytes = 0;
    for _ in 0..WRITES {
        bytes += serde_json::to_vec(list)?.len();
    }
    let took = stopwatch::now() - start;
    if bytes == 0 { Err("a list was empty".into()) } else { Ok(took.as_secs_f64() * 1_000.0 / f64::from(WRITES)) }
}
