//! `…/venues`: the places of a partner, the newest first.

use askama::Template;
use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};
use serde_json::Value;

use super::{RESOURCE, VENUE_FIELDS, city_of};
use crate::console::fault::Fault;
use crate::console::frame::{ConsoleFrame, Section};
use crate::console::paging::{Paging, WantedPage};
use crate::console::visit::{Visit, page_answer};
use crate::form::encoded;

/// Places of a page.
const PAGE_SIZE: u64 = 25;

/// A place, as the list shows it.
struct VenueRow {
    path: String,
    name: String,
    address: String,
    city: String,
    is_removed: bool,
}

#[derive(Template)]
#[template(path = "console/venues.html")]
struct VenuesPage<'a> {
    frame: ConsoleFrame<'a>,
    rows: Vec<VenueRow>,
    wanted: String,
    has_removed: bool,
    is_narrowed: bool,
    paging: Paging,
    path: String,
}

/// Lists them, narrowed by the query of the address.
pub(crate) async fn list(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let wanted = visit.request.value("q").unwrap_or_default().trim().to_owned();
    let has_removed = visit.request.value("removed") == Some("true");
    let encoded = encoded(&wanted);
    let page = WantedPage::of(visit, PAGE_SIZE);
    let (partner, removed) = (visit.segment("partner"), if has_removed { "&removed=true" } else { "" });
    let query = format!("org={partner}&suggest={encoded}{removed}&fields-schema={VENUE_FIELDS}&{}", page.query());
    let found = visit.read(&format!("{RESOURCE}?{query}")).await?;
    let path = format!("{}/venues", visit.home());
    let more = if wanted.is_empty() { removed.to_owned() } else { format!("{removed}&q={encoded}") };
    let row = |venue: &Value| VenueRow {
        path: format!("{path}/{}", venue["id"].as_str().unwrap_or_default()),
        name: venue["name"].as_str().unwrap_or_default().to_owned(),
        address: venue["address"].as_str().unwrap_or_default().to_owned(),
        city: city_of(venue, visit.request.language),
        is_removed: venue["removed"] == true,
    };
    let page = VenuesPage {
        frame: ConsoleFrame::of_partner(visit, &visit.texts().text("console-venues"), Section::Venues).await?,
        rows: found.value.as_array().into_iter().flatten().map(row).collect(),
        is_narrowed: !wanted.is_empty(),
        wanted,
        has_removed,
        paging: page.paging(found.total, &path, &more),
        path,
    };
    page_answer(StatusCode::OK, &page)
}
