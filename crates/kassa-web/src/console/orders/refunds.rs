//! `…/refunds`: what people ask to be paid back, the newest first; each is decided on the page of its order.

use askama::Template;
use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};
use serde_json::Value;

use super::{money, refund_state, text};
use crate::console::fault::Fault;
use crate::console::frame::{ConsoleFrame, Section};
use crate::console::paging::{Paging, WantedPage};
use crate::console::sorting::{Head, SortField, SortedColumn, Sorting};
use crate::console::times::day;
use crate::console::visit::{Visit, page_answer};
use crate::form::encoded;

/// Requests of a page.
const PAGE_SIZE: u64 = 25;
/// States that requests are narrowed to, and what they are called.
const STATES: [(&str, &str); 4] =
    [("", "refunds-all"), ("new", "refund-new"), ("approved", "refund-approved"), ("rejected", "refund-rejected")];
const FIELDS: &str = "id,status,value,created_at,tickets_refund,order{id,number},event{id,title{text}}";
const SORT_FIELDS: &[SortField] = &[SortField::amount("created_at"), SortField::amount("value")];
const COLUMNS: &[SortedColumn] = &[
    ("order-no", None, false),
    ("event", None, false),
    ("key-made", Some("created_at"), false),
    ("state", None, false),
    ("sets", None, true),
    ("refunds-sum", Some("value"), true),
];

struct RequestRow {
    path: String,
    number: String,
    event: String,
    sum: String,
    tickets: usize,
    state: String,
    at: String,
}

#[derive(Template)]
#[template(path = "console/refunds.html")]
struct RefundsPage<'a> {
    frame: ConsoleFrame<'a>,
    heads: Vec<Head>,
    rows: Vec<RequestRow>,
    /// Words, texts, and whether each is the one that is shown.
    states: Vec<(&'static str, String, bool)>,
    paging: Paging,
    path: String,
}

pub(crate) async fn refunds(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let wanted = visit.request.value("status").unwrap_or_default();
    let (status, _) = STATES.into_iter().find(|(status, _)| *status == wanted).unwrap_or(STATES[0]);
    let (page, sorting) = (WantedPage::of(visit, PAGE_SIZE), Sorting::wanted(visit, SORT_FIELDS));
    let narrowed = if status.is_empty() { String::new() } else { format!("&status={status}") };
    let fields = encoded(FIELDS);
    let sort = sorting.parameter();
    let query = format!("{}{narrowed}&sort={sort}&fields-schema={fields}", page.query());
    let found = visit.read(&format!("/v1/resources/refund_requests?{query}")).await?;
    let path = format!("{}/refunds", visit.home());
    let texts = visit.texts();
    let page = RefundsPage {
        frame: ConsoleFrame::of_partner(visit, &texts.text("console-refunds"), Section::Orders).await?,
        rows: found.value.as_array().into_iter().flatten().map(|request| row_of(visit, request)).collect(),
        states: STATES.map(|(word, key)| (word, texts.text(key), word == status)).into(),
        heads: sorting.heads(visit, (&path, &narrowed), COLUMNS),
        paging: page.paging(found.total, &path, &format!("{narrowed}{}", sorting.kept())),
        path,
    };
    page_answer(StatusCode::OK, &page)
}

fn row_of(visit: &Visit<'_>, request: &Value) -> RequestRow {
    let order = &request["order"];
    RequestRow {
        path: format!("{}/orders/{}", visit.home(), text(&order["id"])),
        number: order["number"].to_string(),
        event: text(&request["event"]["title"]["text"]),
        sum: money(visit, &request["value"]),
        tickets: request["tickets_refund"].as_array().map_or(0, Vec::len),
        state: refund_state(request["status"].as_str().unwrap_or_default(), visit.texts()),
        at: day(visit.request.language, &request["created_at"]),
    }
}
