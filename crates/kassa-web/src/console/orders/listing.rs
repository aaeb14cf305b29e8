//! `…/orders`: the orders that a partner sold or organizes, the newest first, narrowed by the query of the address.

use askama::Template;
use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};
use serde_json::{Value, json};

use super::{STATES, customer, money, state_of, state_text, text, time, zone};
use crate::answer::see_other;
use crate::console::events::EventTitles;
use crate::console::fault::Fault;
use crate::console::fields::Fields;
use crate::console::frame::{ConsoleFrame, Section};
use crate::console::paging::Paging;
use crate::console::sorting::{Head, SortField, SortedColumn, Sorting};
use crate::console::visit::{Visit, page_answer};
use crate::form::encoded;

/// Orders of a page.
const PAGE_SIZE: u64 = 25;
/// How far orders are counted: a partner may have millions.
const COUNT_MAX: i64 = 10_000;
/// What a list is sorted by that has all orders: only what an index has in that order.
const SORT_FIELDS: &[SortField] = &[SortField::amount("created_at")];
/// The same of a list of those that a search has found, which are few.
const SORT_FIELDS_FOUND: &[SortField] =
    &[SortField::amount("created_at"), SortField::amount("value"), SortField::text("email")];
const COLUMNS: &[SortedColumn] = &[
    ("orders-number-date", Some("created_at"), false),
    ("customer", Some("email"), false),
    ("event", None, false),
    ("state", None, false),
    ("sets", None, true),
    ("total", Some("value"), true),
];

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
    /// Says that not all events are offered.
    events_hint: Option<String>,
    heads: Vec<Head>,
    rows: Vec<OrderRow>,
    total: String,
    is_narrowed: bool,
    paging: Paging,
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
    let page = Paging::wanted(visit);
    let sortable = if fields.given("q").is_some() { SORT_FIELDS_FOUND } else { SORT_FIELDS };
    let sorting = Sorting::wanted(visit, sortable);
    let (sort, narrowed) = (sorting.parameter(), narrowed(&fields));
    let path =
        format!("/v2/resources/orders?page={page}&page_size={PAGE_SIZE}&count_max={COUNT_MAX}&sort={sort}{narrowed}");
    let found = visit.read(&path).await?.value;
    let total = found["total_count"].as_i64().unwrap_or_default();
    let orders = found["data"].as_array().into_iter().flatten();
    let texts = visit.texts();
    let path = format!("{}/orders", visit.home());
    let kept: Vec<String> = ["q", "status", "event"]
        .into_iter()
        .filter_map(|name| Some(format!("&{name}={}", encoded(fields.given(name)?))))
        .collect();
    let kept = kept.concat();
    let titles = EventTitles::load(visit, fields.given("event").as_slice()).await?;
    let page = OrdersPage {
        frame: ConsoleFrame::of_partner(visit, &texts.text("console-orders"), Section::Orders).await?,
        script: visit.shop.assets.path("console.js"),
        states: STATES.map(|(status, key)| (status, texts.text(key))).into(),
        events_hint: titles.hint(visit, "events-newest-offered"),
        events: titles.named.into_iter().chain(titles.newest).collect(),
        rows: orders.map(|order| row_of(visit, order, &found["refs"])).collect(),
        total: texts.count(if total < COUNT_MAX { "orders-count" } else { "orders-many" }, total),
        is_narrowed: !kept.is_empty() || page > 1,
        heads: sorting.heads(visit, (&path, &kept), COLUMNS),
        paging: Paging::of_v2(&found, &format!("{path}?page={{}}{kept}{}", sorting.kept())),
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
