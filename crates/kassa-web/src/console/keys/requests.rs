//! `…/keys/{key}/requests`: what programs have asked with a key in the last day.

use askama::Template;
use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};
use serde_json::Value;

use super::{resource, text};
use crate::console::fault::Fault;
use crate::console::frame::{ConsoleFrame, Section, Way};
use crate::console::paging::Paging;
use crate::console::visit::{Visit, checked_id, moment, page_answer};

/// Requests of a page.
const PAGE_SIZE: u64 = 50;
/// Classes of statuses that the list is narrowed to, and what they are called.
const CLASSES: [(&str, &str); 4] = [
    ("", "key-requests-all"),
    ("2xx", "key-requests-good"),
    ("4xx", "key-requests-refused"),
    ("5xx", "key-requests-failed"),
];

struct RequestRow {
    method: String,
    path: String,
    at: String,
    status: u64,
    /// How its status looks.
    state: &'static str,
    duration_ms: u64,
}

#[derive(Template)]
#[template(path = "console/key_requests.html")]
struct RequestsPage<'a> {
    frame: ConsoleFrame<'a>,
    list: String,
    key_name: String,
    classes: Vec<Way>,
    rows: Vec<RequestRow>,
    paging: Paging,
}

pub(crate) async fn requests(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let id = checked_id(visit.segment("key"))?;
    let wanted = visit.request.value("status").unwrap_or_default();
    let (class, _) = CLASSES.into_iter().find(|(class, _)| *class == wanted).unwrap_or(CLASSES[0]);
    let narrowed = if class.is_empty() { String::new() } else { format!("&status={class}") };
    let (list, page) = (format!("{}/keys", visit.home()), Paging::wanted(visit));
    let path = format!("{list}/{id}/requests");
    let key = visit.read(&format!("{}/{id}?fields-schema=name", resource(visit))).await?.value;
    let log = format!("/v2/resources/partners/{}/api_keys/{id}/requests", visit.segment("partner"));
    let found = visit.read(&format!("{log}?page={page}&page_size={PAGE_SIZE}{narrowed}")).await?.value;
    let way = |(word, key): (&str, &str)| Way {
        text: visit.texts().text(key),
        path: if word.is_empty() { path.clone() } else { format!("{path}?status={word}") },
        is_current: word == class,
    };
    let page = RequestsPage {
        frame: ConsoleFrame::of_partner(visit, &visit.texts().text("key-requests"), Section::Keys).await?,
        key_name: text(&key["name"]),
        classes: CLASSES.into_iter().map(way).collect(),
        rows: found["data"].as_array().into_iter().flatten().map(row_of).collect(),
        paging: Paging::of_v2(&found, &format!("{path}?page={{}}{narrowed}")),
        list,
    };
    page_answer(StatusCode::OK, &page)
}

fn row_of(request: &Value) -> RequestRow {
    let status = request["status"].as_u64().unwrap_or_default();
    RequestRow {
        method: text(&request["method"]),
        path: text(&request["path"]),
        at: moment(&request["at"]),
        state: if status < 400 { "public" } else { "canceled" },
        status,
        duration_ms: request["duration_ms"].as_u64().unwrap_or_default(),
    }
}
