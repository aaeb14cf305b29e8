//! `/console/{partner}`: what is on sale, and what is to be done first.

use std::ops::ControlFlow;

use askama::Template;
use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};
use serde_json::Value;

use super::events::{EventRow, events_of, row_of};
use super::fault::Fault;
use super::figures::Summary;
use super::frame::{ConsoleFrame, Section};
use super::visit::{Visit, page_answer};

/// Events that are shown.
const SHOWN_MAX: usize = 20;
/// Events whose tickets are added up, at most: what the interface lists at once.
const ADDED_MAX: usize = 1_000;

#[derive(Template)]
#[template(path = "console/overview.html")]
struct OverviewPage<'a> {
    frame: ConsoleFrame<'a>,
    script: &'a str,
    home: String,
    summary: Summary,
    on_sale: Shown,
    drafts: Shown,
    /// Tickets of all that is on sale; none where those are too many events to add up.
    tickets: Option<Tickets>,
    /// Whether the shop takes money.
    is_open: bool,
}

/// Events of a state: the newest, and how many there are.
struct Shown {
    rows: Vec<EventRow>,
    total: usize,
    /// How many more there are, in words, and where.
    more: Option<(String, String)>,
}

/// Tickets that are sold or held, and all.
#[derive(Clone, Copy, Default)]
struct Tickets {
    taken: i64,
    amount: i64,
}

pub(crate) async fn respond(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let frame = ConsoleFrame::of_partner(visit, &visit.texts().text("console-overview"), Section::Overview).await?;
    let shop = visit.read(&format!("/v1/resources/partners/{}", visit.segment("partner"))).await?.value;
    let (on_sale, drafts) = (events_in(visit, "public").await?, events_in(visit, "stand_by").await?);
    let page = OverviewPage {
        tickets: tickets_of(visit, &on_sale).await?,
        summary: Summary::load(visit).await?,
        is_open: shop["shop"]["open"] == true,
        script: visit.shop.assets.path("console.js"),
        home: visit.home(),
        on_sale,
        drafts,
        frame,
    };
    page_answer(StatusCode::OK, &page)
}

/// The newest events in a state.
async fn events_in(visit: &Visit<'_>, status: &str) -> Result<Shown, Fault> {
    let (mut events, total) = events_of(visit, &format!("&status={status}&limit={SHOWN_MAX}")).await?;
    events.sort_by_key(crate::model::EventData::order);
    let left = total.saturating_sub(events.len());
    let more =
        || (visit.texts().about("and-more", &left.to_string()), format!("{}/events?status={status}", visit.home()));
    Ok(Shown { rows: events.iter().map(|event| row_of(visit, event)).collect(), total, more: (left > 0).then(more) })
}

/// The tickets of all events on sale, also of those that are not shown.
async fn tickets_of(visit: &Visit<'_>, on_sale: &Shown) -> Result<Option<Tickets>, Fault> {
    let mut tickets = Tickets::default();
    if on_sale.more.is_none() {
        for row in &on_sale.rows {
            tickets.taken += row.taken;
            tickets.amount += row.amount;
        }
        return Ok(Some(tickets));
    }
    if on_sale.total > ADDED_MAX {
        return Ok(None);
    }
    let partner = visit.segment("partner");
    let fields = "sets%7Bamount,amount_vacant%7D";
    let path = format!("/v1/resources/events?org={partner}&status=public&limit={ADDED_MAX}&fields-schema={fields}");
    let add = |event: Value| {
        for set in event["sets"].as_array().into_iter().flatten() {
            let [amount, vacant] = ["amount", "amount_vacant"].map(|name| set[name].as_i64().unwrap_or_default());
            tickets.taken += amount - vacant;
            tickets.amount += amount;
        }
        ControlFlow::Continue(())
    };
    visit.read_items(&path, add).await?;
    Ok(Some(tickets))
}
