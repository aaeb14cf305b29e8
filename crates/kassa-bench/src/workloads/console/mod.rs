//! Row n: pages of the console of a partner that has sold a million orders itself.

mod filling;

use std::fs;
use std::path::Path;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use self::filling::{Merchant, fill};
use crate::api_client::ApiClient;
use crate::context::BenchContext;
use crate::error::BenchError;
use crate::load::{self, LoadPace};
use crate::report::{ReportGoal, ReportRow};
use crate::request::kassa_request;
use crate::scripts::RepeatScript;

/// Orders that the partner has sold.
pub(super) const ORDERS: u64 = 1_000_000;
/// The file that says that a folder has all of them, and whose they are.
const MARKER_FILE: &str = "bench-console.json";
/// How long a page may take, in milliseconds.
const LIST_GOAL: ReportGoal = ReportGoal::AtMost(100.0);
const OVERVIEW_GOAL: ReportGoal = ReportGoal::AtMost(150.0);

/// Measures pages of the console on the database in `data`, which is filled if it is not there: one connection asks for
/// one page after the other, as somebody does who works with it.
pub(crate) async fn measure(bench: &BenchContext, data: &Path) -> Result<Vec<ReportRow>, BenchError> {
    let marker = data.join(MARKER_FILE);
    if !marker.exists() {
        let merchant = fill(bench, data).await?;
        fs::write(&marker, merchant.to_json().to_string())?;
    }
    let merchant = Merchant::from_json(&serde_json::from_slice(&fs::read(&marker)?)?)?;
    let server = bench.start_kassa(data)?;
    let mut user = ApiClient::log_in(server.address, &merchant.email).await?;
    let pages = pages_of(&merchant.partner, &known_order(&mut user).await?)?;
    let mut rows: Vec<ReportRow> =
        pages.iter().map(|(name, _, goal)| ReportRow::new("n", format!("{name}: p95"), "ms").goal(*goal)).collect();
    for round in 1..=bench.rounds {
        for (row, (name, path, _)) in rows.iter_mut().zip(&pages) {
            bench.report_progress(&format!("console, round {round} of {}: {name}", bench.rounds));
            let again = RepeatScript::new(vec![kassa_request("GET", path, &user.credential, None)]);
            let (measured, _) =
                load::run_load(server.address, vec![again], LoadPace::ClosedLoop, bench.duration).await?;
            row.add(measured.latency_ms(0.95));
        }
    }
    server.stop()?;
    Ok(rows)
}

/// An order from the middle of them: by what people look for it.
struct KnownOrder {
    number: String,
    barcode: String,
    email: String,
    name: String,
    phone: String,
}

async fn known_order(user: &mut ApiClient) -> Result<KnownOrder, BenchError> {
    let middle = user.get(&format!("/v2/resources/orders?page_size=1&page={}", ORDERS / 2)).await?;
    let order = &middle["data"][0];
    let customer = &order["settings"]["customer"];
    let text = |value: &Value| match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => {
            Err(BenchError::from("an order has not all that it is found by"))
        }
    };
    Ok(KnownOrder {
        number: text(&order["number"])?,
        barcode: text(&order["tickets"][0]["barcode"])?,
        email: text(&customer["email"])?,
        name: text(&customer["name"])?,
        phone: text(&customer["phone"])?,
    })
}

type MeasuredPage = (&'static str, String, ReportGoal);

fn pages_of(partner: &str, known: &KnownOrder) -> Result<Vec<MeasuredPage>, BenchError> {
    let home = format!("/console/{partner}");
    let first_name = known.name.split(' ').next().ok_or("a customer has no name")?;
    let found = |text: &str| format!("{home}/orders?q={}", utf8_percent_encode(text, NON_ALPHANUMERIC));
    Ok(vec![
        ("the first page of orders", format!("{home}/orders"), LIST_GOAL),
        ("the oldest orders first", format!("{home}/orders?sort=created_at"), LIST_GOAL),
        ("paid orders", format!("{home}/orders?status=done"), LIST_GOAL),
        ("an order by its number", found(&known.number), LIST_GOAL),
        ("an order by a barcode", found(&known.barcode), LIST_GOAL),
        ("orders by an e-mail", found(&known.email), LIST_GOAL),
        ("orders by a whole name", found(&known.name), LIST_GOAL),
        ("orders by a first name that thousands have", found(first_name), LIST_GOAL),
        ("orders by a telephone number", found(&known.phone), LIST_GOAL),
        ("the search in the head of pages", format!("{home}/search?q={}", known.number), LIST_GOAL),
        ("the overview", home, OVERVIEW_GOAL),
    ])
}
