//! `…/history`: who changed a partner, an event, a set or a deal, and when; the newest first.

use askama::Template;
use bytes::Bytes;
use jiff::tz::TimeZone;
use kassa_http::http::{Response, StatusCode};

use super::changes::{ChangeRow, change_row};
use super::events::own_event;
use super::fault::Fault;
use super::frame::{ConsoleFrame, Section};
use super::visit::{Visit, checked_id, page_answer};
use crate::form::encoded;

#[derive(Template)]
#[template(path = "console/history.html")]
struct HistoryPage<'a> {
    frame: ConsoleFrame<'a>,
    changes: Vec<ChangeRow>,
    /// Where older ones are.
    older: Option<String>,
    /// What it is the history of, and where that is.
    of: String,
    back: String,
}

/// Of the partner.
pub(crate) async fn of_partner(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let resource = format!("/v2/resources/partners/{}", visit.segment("partner"));
    let of = visit.texts().text("console-overview");
    respond(visit, &resource, (of, visit.home()), (&TimeZone::UTC, Section::Team)).await
}

/// Of an event.
pub(crate) async fn of_event(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let event = own_event(visit).await?;
    let (resource, zone) = (format!("/v2/resources/events/{}", event.id), event.zone());
    let back = format!("{}/events/{}", visit.home(), event.id);
    respond(visit, &resource, (event.title.text, back), (&zone, Section::Events)).await
}

/// Of a set.
pub(crate) async fn of_set(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let (event, set) = (own_event(visit).await?, checked_id(visit.segment("set"))?);
    let name = event.sets.iter().find(|own| own.id == set).map(|own| own.name.clone()).unwrap_or_default();
    let resource = format!("/v2/resources/events/{}/sets/{set}", event.id);
    let back = format!("{}/events/{}/sets/{set}", visit.home(), event.id);
    respond(visit, &resource, (name, back), (&event.zone(), Section::Events)).await
}

/// Of a deal.
pub(crate) async fn of_deal(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let deal = checked_id(visit.segment("deal"))?;
    let back = (visit.texts().text("console-deals"), format!("{}/deals/{deal}", visit.home()));
    respond(visit, &format!("/v2/resources/deals/{deal}"), back, (&TimeZone::UTC, Section::Deals)).await
}

async fn respond(
    visit: &Visit<'_>,
    resource: &str,
    (of, back): (String, String),
    (zone, section): (&TimeZone, Section),
) -> Result<Response<Bytes>, Fault> {
    let cursor = visit.request.value("cursor").map(|cursor| format!("&cursor={}", encoded(cursor)));
    let path = format!("{resource}/history?limit=50{}", cursor.unwrap_or_default());
    let found = visit.read(&path).await?.value;
    let next = found["pagination"]["next"].as_str();
    let frame = ConsoleFrame::of_partner(visit, &visit.texts().text("console-history"), section).await?;
    let changes = found["data"].as_array().into_iter().flatten();
    let page = HistoryPage {
        changes: changes.map(|change| change_row(visit, &frame, change, zone)).collect(),
        frame,
        older: next.map(|cursor| format!("{}?cursor={}", visit.request.path, encoded(cursor))),
        of,
        back,
    };
    page_answer(StatusCode::OK, &page)
}
