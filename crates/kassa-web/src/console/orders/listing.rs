//! `…/orders`: the orders that a partner sold or organizes, the newest first, narrowed by the query of the address.

use askama::Template;
use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};
use serde_json::{Value, json};

use super::{STATES, customer, money, state_of, state_text, text, time, zone};
use crate::answer::see_other;
use crate::console::events::events_of;
use crate::console::fault::Fault;
use crate::console::fields::Fields;
use crate::console::frame::{ConsoleFrame, Section};
use crate::console::visit::{Visit, page_answer};

/// Orders of a page.
const PAGE_SIZE: usize = 25;

/// An order, as the list shows it.
struct OrderRow {
    path: String,
    number: String,
    event: String,
    customer: String,
    tickets: usize,
    sum: String,
    state: String,
    state_text: String,
    at: String,
}

#[derive(Template)]
#[template(path = "console/orders.html")]
struct OrdersPage<'a> {
    frame: ConsoleFrame<'a>,
    script: &'a str,
    fields: Fields,
    states: Vec<(&'static str, String)>,
    events: Vec<(String, String)>,
    rows: Vec<OrderRow>,
    total: String,
    is_narrowed: bool,
    earlier: Option<String>,
    later: Option<String>,
    refunds: String,
    path: String,
}

/// Lists orders, or mails them as a table.
pub(crate) async fn list(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let mut fields = Fields::default();
    if visit.is_form {
        fields = Fields::typed(visit.form());
        match visit.send("POST", "/v2/resources/orders/export", Some(&exported(&fields))).await? {
            Ok(_) => return Ok(see_other(&format!("{}/orders?done=exported", visit.home()))),
            Err(refusal) => fields.refuse(visit.texts(), &refusal, &[]),
        }
    } else {
        for name in ["q", "status", "event"] {
            fields.set(name, visit.request.value(name).unwrap_or_default().trim());
        }
    }
    let page = visit.request.value("page").and_then(|page| page.parse().ok()).unwrap_or(1_usize).clamp(1, 10_000);
    let path = format!("/v2/resources/orders?page={page}&page_size={PAGE_SIZE}{}", narrowed(&fields));
    let found = visit.read(&path).await?.value;
    let total = found["total_count"].as_u64().and_then(|count| usize::try_from(count).ok()).unwrap_or_default();
    let orders = found["data"].as_array().into_iter().flatten();
    let texts = visit.texts();
    let path = format!("{}/orders", visit.home());
    let kept: Vec<String> = ["q", "status", "event"]
        .into_iter()
        .filter_map(|name| Some(format!("&{name}={}", encoded(fields.given(name)?))))
        .collect();
    let at = |page: usize| format!("{path}?page={page}{}", kept.concat());
    let (events, _) = events_of(visit, "&limit=200").await?;
    let page = OrdersPage {
        frame: ConsoleFrame::of_partner(visit, &texts.text("console-orders"), Section::Orders).await?,
        script: visit.shop.assets.path("console.js"),
        states: STATES.map(|(status, key)| (status, texts.text(key))).into(),
        events: events.into_iter().map(|event| (event.id, event.title.text)).collect(),
        rows: orders.map(|order| row_of(visit, order, &found["refs"])).collect(),
        total: texts.count("orders-count", i64::try_from(total).unwrap_or(i64::MAX)),
        is_narrowed: !kept.is_empty() || page > 1,
        earlier: (page > 1).then(|| at(page - 1)),
        later: (page * PAGE_SIZE < total).then(|| at(page + 1)),
        refunds: format!("{}/refunds", visit.home()),
        path,
        fields,
    };
    let status = if page.fields.has_wrong() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    page_answer(status, &page)
}

/// Which orders are mailed, and where: those of the state and the event that the list was narrowed to.
fn exported(fields: &Fields) -> Value {
    let mut body = json!({"email": fields.value("email").trim()});
    for (name, parameter) in [("status", "status"), ("event", "events")] {
        if let Some(wanted) = fields.given(name) {
            body[parameter] = json!([wanted]);
        }
    }
    body
}

fn encoded(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
}

/// The query that finds what the fields ask for.
fn narrowed(fields: &Fields) -> String {
    let mut query = String::new();
    if let Some((status, _)) = STATES.into_iter().skip(1).find(|(status, _)| fields.is("status", status)) {
        query += "&status=";
        query += status;
    }
    for (name, parameter) in [("event", "events"), ("q", "search")] {
        if let Some(wanted) = fields.given(name) {
            query.extend(["&", parameter, "=", &encoded(wanted)]);
        }
    }
    query
}

fn row_of(visit: &Visit<'_>, order: &Value, refs: &Value) -> OrderRow {
    let event = &refs["events"][order["event"].as_str().unwrap_or_default()];
    let status = state_of(order);
    OrderRow {
        path: format!("{}/orders/{}", visit.home(), text(&order["id"])),
        number: order["number"].to_string(),
        event: text(&event["title"]["text"]),
        customer: customer(order),
        tickets: order["tickets"].as_array().map_or(0, Vec::len),
        sum: money(visit, &order["values"]["full"]),
        state_text: state_text(&status, visit.texts()),
        state: status,
        at: time(visit, &order["created_at"], &zone(event)),
    }
}
