//! `…/catalogue`: what others have on sale, and can be sold by agreement with them.

use askama::Template;
use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};

use crate::api::CARD_FIELDS;
use crate::console::events::{EventRow, row_of};
use crate::console::fault::Fault;
use crate::console::frame::{ConsoleFrame, Section};
use crate::console::visit::{Visit, page_answer};
use crate::error::PageError;
use crate::form::encoded;
use crate::model::EventData;

/// Events that are offered, at most: the newest.
const OFFERED_MAX: usize = 100;

#[derive(Template)]
#[template(path = "console/catalogue.html")]
struct CataloguePage<'a> {
    frame: ConsoleFrame<'a>,
    rows: Vec<EventRow>,
    back: String,
}

pub(crate) async fn catalogue(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let fields = encoded(CARD_FIELDS);
    let path = format!("/v1/resources/events?status=public&limit={OFFERED_MAX}&fields-schema={fields}");
    let found = visit.read(&path).await?.value;
    let events: Vec<EventData> = serde_json::from_value(found).map_err(|error| {
        tracing::error!(%error, "events could not be read");
        PageError::Internal
    })?;
    let partner = visit.segment("partner");
    let others = events.iter().filter(|event| event.org.seen().is_none_or(|organizer| organizer.id != partner));
    let row = |event: &EventData| EventRow {
        path: format!("{}/deals/new?event={}", visit.home(), event.id),
        place: event.org.seen().map(|organizer| organizer.name.clone()).unwrap_or_default(),
        ..row_of(visit, event)
    };
    let page = CataloguePage {
        frame: ConsoleFrame::of_partner(visit, &visit.texts().text("catalogue"), Section::Deals).await?,
        rows: others.map(row).collect(),
        back: format!("{}/deals", visit.home()),
    };
    page_answer(StatusCode::OK, &page)
}
