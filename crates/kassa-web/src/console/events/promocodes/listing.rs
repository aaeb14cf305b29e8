//! `…/events/{event}/promocodes`: the promo codes of an event, and all of them as a table.

use askama::Template;
use bytes::Bytes;
use jiff::Timestamp;
use kassa_engine::export::{CsvWriter, ExportCell};
use kassa_http::http::header::{self, HeaderMap};
use kassa_http::http::{Response, StatusCode};
use serde_json::Value;

use crate::answer::{insert_text, private_file};
use crate::console::events::{Loaded, event_path, load, resource};
use crate::console::fault::Fault;
use crate::console::frame::{ConsoleFrame, Section};
use crate::console::paging::{Paging, WantedPage};
use crate::console::visit::{Visit, page_answer};
use crate::model::{Span, read_span};

/// Codes of a page.
const PAGE_SIZE: u64 = 50;
/// Codes that are read at a time for the table.
const READ_SIZE: usize = 200;

/// A promo code, as lists show it.
pub(crate) struct PromocodeRow {
    pub(crate) path: String,
    pub(crate) code: String,
    /// What the organizer calls it.
    pub(crate) name: String,
    pub(crate) discount: String,
    pub(crate) uses: String,
    pub(crate) state: &'static str,
    pub(crate) state_text: String,
}

#[derive(Template)]
#[template(path = "console/promocodes.html")]
struct PromocodesPage<'a> {
    frame: ConsoleFrame<'a>,
    event_title: String,
    rows: Vec<PromocodeRow>,
    paging: Paging,
    total: String,
    is_open: bool,
    back: String,
}

/// The newest codes of an event, and how many there are.
pub(crate) async fn newest(
    visit: &Visit<'_>,
    event: &Loaded,
    query: &str,
) -> Result<(Vec<PromocodeRow>, usize), Fault> {
    let found = visit.read(&format!("{}/promocodes?{query}", resource(&event.data.id))).await?;
    let rows = found.value.as_array().into_iter().flatten().map(|code| row_of(visit, event, code)).collect();
    Ok((rows, found.total))
}

/// A page of them.
pub(crate) async fn list(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let event = load(visit, visit.segment("event")).await?;
    let page = WantedPage::of(visit, PAGE_SIZE);
    let (rows, total) = newest(visit, &event, &page.query()).await?;
    let back = event_path(visit, &event.data.id);
    let page = PromocodesPage {
        frame: ConsoleFrame::of_partner(visit, &visit.texts().text("promocodes"), Section::Events).await?,
        event_title: event.data.title.text.clone(),
        rows,
        paging: page.paging(total, &format!("{back}/promocodes"), ""),
        total: visit.texts().count("promocodes-count-all", i64::try_from(total).unwrap_or(i64::MAX)),
        is_open: event.is_open(),
        back,
    };
    page_answer(StatusCode::OK, &page)
}

/// A code in words.
pub(super) fn row_of(visit: &Visit<'_>, event: &Loaded, code: &Value) -> PromocodeRow {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let used = code["counter"]["used"].as_u64().unwrap_or_default();
    let (state, key) = state_of(code, visit.shop.present().0);
    PromocodeRow {
        path: format!("{}/promocodes/{}", event_path(visit, &event.data.id), text(&code["id"])),
        code: text(&code["code"]),
        name: text(&code["name"]),
        discount: discount_of(visit, code),
        uses: code["amount"].as_u64().map_or_else(|| used.to_string(), |amount| format!("{used} / {amount}")),
        state,
        state_text: visit.texts().text(key),
    }
}

/// The word by which a state is drawn, and its text.
fn state_of(code: &Value, now: Timestamp) -> (&'static str, &'static str) {
    let span = code["lifetime"].as_str().map(read_span);
    let [used, reserved] = ["used", "reserved"].map(|name| code["counter"][name].as_u64().unwrap_or_default());
    // One that was ended before it began has no time at all.
    let is_over = |span: Span| span.end.is_some_and(|end| end <= now || Some(end) <= span.start);
    if span.is_some_and(is_over) {
        ("finished", "promocode-over")
    } else if code["amount"].as_u64().is_some_and(|amount| used + reserved >= amount) {
        ("finished", "promocode-used-up")
    } else if span.and_then(|span| span.start).is_some_and(|start| start > now) {
        ("draft", "promocode-coming")
    } else {
        ("public", "promocode-valid")
    }
}

/// What a code takes off.
pub(super) fn discount_of(visit: &Visit<'_>, code: &Value) -> String {
    let discount = &code["discount"];
    match discount["fixed"].as_str().and_then(|sum| sum.parse().ok()) {
        Some(sum) => visit.texts().amount(sum, visit.shop.settings.currency),
        None => discount["percengate"].as_str().unwrap_or_default().to_owned(),
    }
}

/// All codes of an event as a table, with how often each was used.
pub(crate) async fn csv(visit: &Visit<'_>, event: &Loaded) -> Result<Response<Bytes>, Fault> {
    let mut table = CsvWriter::with_columns(&["code", "discount", "amount", "used", "reserved", "created_at"]);
    let mut offset = 0;
    loop {
        let path = format!("{}/promocodes?limit={READ_SIZE}&offset={offset}", resource(&event.data.id));
        let found = visit.read(&path).await?;
        for code in found.value.as_array().into_iter().flatten() {
            let text = |value: &Value| ExportCell::Text(value.as_str().unwrap_or_default().to_owned());
            let number = |value: &Value| value.as_i64().map_or(ExportCell::Empty, ExportCell::Number);
            let (discount, counter) = (&code["discount"], &code["counter"]);
            let kind = if discount["fixed"].is_null() { "percengate" } else { "fixed" };
            table.push_cells(&[
                text(&code["code"]),
                text(&discount[kind]),
                number(&code["amount"]),
                number(&counter["used"]),
                number(&counter["reserved"]),
                text(&code["created_at"]),
            ]);
        }
        offset += READ_SIZE;
        if offset >= found.total {
            break;
        }
    }
    let mut headers = HeaderMap::new();
    insert_text(&mut headers, header::CONTENT_TYPE, "text/csv; charset=utf-8");
    insert_text(&mut headers, header::CONTENT_DISPOSITION, "attachment; filename=\"promocodes.csv\"");
    Ok(private_file(&headers, table.take().into_bytes()))
}
