//! `/console/{partner}`: what is on sale, and what is to be done first.

use askama::Template;
use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};

use super::events::{EventRow, events_of, row_of};
use super::fault::Fault;
use super::figures::Summary;
use super::frame::{ConsoleFrame, Section};
use super::visit::{Visit, page_answer};

/// Events that are shown.
const SHOWN_MAX: usize = 20;

#[derive(Template)]
#[template(path = "console/overview.html")]
struct OverviewPage<'a> {
    frame: ConsoleFrame<'a>,
    script: &'a str,
    home: String,
    summary: Summary,
    on_sale: Vec<EventRow>,
    drafts: Vec<EventRow>,
    /// Tickets of what is on sale: taken, and all.
    taken: i64,
    amount: i64,
    /// Whether the shop takes money.
    is_open: bool,
}

pub(crate) async fn respond(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let frame = ConsoleFrame::of_partner(visit, &visit.texts().text("console-overview"), Section::Overview).await?;
    let shop = visit.read(&format!("/v1/resources/partners/{}", visit.segment("partner"))).await?.value;
    let rows = async |status: &str| -> Result<Vec<EventRow>, Fault> {
        let (mut events, _) = events_of(visit, &format!("&status={status}&limit={SHOWN_MAX}")).await?;
        events.sort_by_key(crate::model::EventData::order);
        Ok(events.iter().map(|event| row_of(visit, event)).collect())
    };
    let (on_sale, drafts) = (rows("public").await?, rows("stand_by").await?);
    let page = OverviewPage {
        taken: on_sale.iter().map(|row| row.taken).sum(),
        amount: on_sale.iter().map(|row| row.amount).sum(),
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
