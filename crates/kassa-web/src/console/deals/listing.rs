//! `…/deals`: the deals of a partner, as the organizer and as the agent.

use askama::Template;
use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};
use serde_json::Value;

use super::{DEAL_FIELDS, id_of, state_text, terms_text, text};
use crate::console::fault::Fault;
use crate::console::frame::{ConsoleFrame, Section, Way};
use crate::console::paging::{Paging, WantedPage};
use crate::console::sorting::{Head, SortField, SortedColumn, Sorting};
use crate::console::times::day;
use crate::console::visit::{Visit, page_answer};

/// Deals of a page.
const PAGE_SIZE: u64 = 50;
/// States that the list can be narrowed to, and what that is called.
const STATES: [(&str, &str); 4] = [
    ("", "deals-all"),
    ("new", "deal-state-new"),
    ("accepted", "deal-state-accepted"),
    ("declined", "deal-state-declined"),
];

const SORT_FIELDS: &[SortField] = &[SortField::amount("created_at")];
const COLUMNS: &[SortedColumn] = &[
    ("event", None, false),
    ("deal-with", None, false),
    ("terms-of-deal", None, false),
    ("state", None, false),
    ("key-made", Some("created_at"), false),
];

struct DealRow {
    path: String,
    event: String,
    other: String,
    /// Whether the partner is the agent.
    is_agent: bool,
    terms: String,
    state: String,
    state_text: String,
    made: String,
}

#[derive(Template)]
#[template(path = "console/deals.html")]
struct DealsPage<'a> {
    frame: ConsoleFrame<'a>,
    heads: Vec<Head>,
    rows: Vec<DealRow>,
    states: Vec<Way>,
    paging: Paging,
    /// Where events of others are found.
    catalogue: String,
}

pub(crate) async fn list(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let wanted = visit.request.value("status").unwrap_or_default();
    let (status, _) = STATES.into_iter().find(|(status, _)| *status == wanted).unwrap_or(STATES[0]);
    let (page, sorting) = (WantedPage::of(visit, PAGE_SIZE), Sorting::wanted(visit, SORT_FIELDS));
    let narrowed = if status.is_empty() { String::new() } else { format!("&status={status}") };
    let sort = sorting.parameter();
    let query = format!("{}{narrowed}&sort={sort}&fields-schema={DEAL_FIELDS}", page.query());
    let found = visit.read(&format!("/v1/resources/deals?{query}")).await?;
    let path = format!("{}/deals", visit.home());
    let way = |(state, key): (&str, &str)| Way {
        text: visit.texts().text(key),
        path: if state.is_empty() { path.clone() } else { format!("{path}?status={state}") },
        is_current: state == status,
    };
    let page = DealsPage {
        frame: ConsoleFrame::of_partner(visit, &visit.texts().text("console-deals"), Section::Deals).await?,
        rows: found.value.as_array().into_iter().flatten().map(|deal| row_of(visit, deal)).collect(),
        states: STATES.into_iter().map(way).collect(),
        heads: sorting.heads(visit, (&path, &narrowed), COLUMNS),
        paging: page.paging(found.total, &path, &format!("{narrowed}{}", sorting.kept())),
        catalogue: format!("{}/catalogue", visit.home()),
    };
    page_answer(StatusCode::OK, &page)
}

fn row_of(visit: &Visit<'_>, deal: &Value) -> DealRow {
    let is_agent = id_of(&deal["subj"]) == visit.segment("partner");
    let status = text(&deal["status"]);
    DealRow {
        path: format!("{}/deals/{}", visit.home(), text(&deal["id"])),
        event: text(&deal["title"]["text"]),
        other: text(&deal[if is_agent { "obj" } else { "subj" }]["name"]),
        is_agent,
        terms: terms_text(&deal["term"], visit.texts()),
        state_text: state_text(&status, visit.texts()),
        state: status,
        made: day(visit.request.language, &deal["created_at"]),
    }
}
