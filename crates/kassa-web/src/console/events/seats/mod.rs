//! `…/events/{event}/seats`: the seats of an event, in lists and in a picture, as buyers choose them. Here they are held
//! back, freed, and given prices, row by row.

mod board;
mod choice;
mod moving;
mod painting;
mod rows;
mod view;

use askama::Template;
use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};
use serde_json::{Map, Value, json};

use self::board::Board;
use self::choice::Choice;
use self::view::{PricedSeats, ShownRows};
use super::{Loaded, event_path, load, resource};
use crate::answer::see_other;
use crate::console::fault::{Fault, Refusal};
use crate::console::fields::Fields;
use crate::console::frame::{ConsoleFrame, Section};
use crate::console::visit::{Visit, checked_id, page_answer};
use crate::json_ld::{embedded, embedded_text};

/// What the script says.
const PLAIN_TEXTS: [&str; 18] = [
    "chosen-none",
    "hall-map",
    "map-help",
    "paint-help",
    "paint-rows",
    "paint-seats",
    "row",
    "row-in-line",
    "seat",
    "seat-chosen",
    "seat-free",
    "seat-held",
    "seat-taken",
    "stage",
    "whole-row",
    "zoom-all",
    "zoom-in",
    "zoom-out",
];

#[derive(Template)]
#[template(path = "console/seats.html")]
struct SeatsPage<'a> {
    frame: ConsoleFrame<'a>,
    script: &'a str,
    event_title: String,
    categories: Vec<PricedSeats>,
    open: Option<ShownRows>,
    /// Sets that seats can be given to: ids, and names with prices.
    targets: Vec<(String, String)>,
    /// Hall maps of the venue, of an event that has none.
    maps: Vec<(String, String)>,
    fields: Fields,
    is_open: bool,
    /// Where a new set stands among the others.
    pos: usize,
    key: String,
    data: String,
    hall: String,
    path: String,
    back: String,
    failure: Option<String>,
}

/// Shows the seats, or does something with those that are chosen.
pub(crate) async fn respond(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let event = load(visit, visit.segment("event")).await?;
    let path = format!("{}/seats", event_path(visit, &event.data.id));
    let mut fields = Fields::typed(visit.form());
    let asked = fields.given("_rows").or_else(|| visit.request.value("rows")).unwrap_or_default().to_owned();
    let mut refused = None;
    let mut board = Board::load(visit, &event).await?;
    let mut choice = Choice::of(visit.form().pairs(), &board);
    if visit.is_form {
        match act(visit, &event, (&board, &choice), &mut fields).await? {
            Ok(()) => return Ok(see_other(&format!("{path}?done=saved&rows={}", encoded(&asked)))),
            Err(refusal) => refused = Some(refusal),
        }
        // What was tried may have changed it, or met what others have changed.
        board = Board::load(visit, &event).await?;
        choice = Choice::of(visit.form().pairs(), &board);
    }
    let texts = visit.texts();
    let open = view::open_part(&board, &asked);
    let page = SeatsPage {
        frame: ConsoleFrame::of_partner(visit, &texts.text("seats"), Section::Events).await?,
        script: visit.shop.assets.path("console_seats.js"),
        event_title: event.data.title.text.clone(),
        categories: view::categories(&board, open, texts),
        open: open.map(|(set, part)| view::rows(&board, (set, part), &choice, texts)),
        targets: view::targets(&board),
        maps: if event.data.map.is_none() { maps_of(visit, &event).await? } else { Vec::new() },
        is_open: event.is_open(),
        pos: event.data.sets.len(),
        key: visit.shop.new_key(),
        data: script_data(visit, &event, &board),
        hall: embedded_text(&board.hall.json),
        back: event_path(visit, &event.data.id),
        failure: refused.as_ref().map(|refusal| refusal.text(texts)),
        fields,
        path,
    };
    page_answer(if refused.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK }, &page)
}

async fn act(
    visit: &Visit<'_>,
    event: &Loaded,
    (board, choice): (&Board, &Choice),
    fields: &mut Fields,
) -> Result<Result<(), Refusal>, Fault> {
    let what = fields.value("_do").to_owned();
    if what == "map" {
        let body = json!({"map": checked_id(fields.value("map"))?});
        return Ok(visit.send("PATCH", &resource(&event.data.id), Some(&body)).await?.map(drop));
    }
    if choice.is_empty() {
        return Ok(Err(Refusal::of_page("seats_not_chosen")));
    }
    match what.as_str() {
        "free" => painting::block(visit, event, choice, true).await,
        "give" => {
            let target = fields.value("target").to_owned();
            painting::give(visit, event, (board, choice), &target).await
        }
        "price" => painting::price(visit, event, (board, choice), fields).await,
        _ => painting::block(visit, event, choice, false).await,
    }
}

/// The hall maps of the venue of an event: ids and names.
async fn maps_of(visit: &Visit<'_>, event: &Loaded) -> Result<Vec<(String, String)>, Fault> {
    let venue = event.venue_id();
    if venue.is_empty() {
        return Ok(Vec::new());
    }
    let found = visit.read(&format!("/v1/resources/venues/{venue}/maps?fields-schema=id,name&limit=100")).await?.value;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    Ok(found.as_array().into_iter().flatten().map(|map| (text(&map["id"]), text(&map["name"]))).collect())
}

/// What the script draws and says.
fn script_data(visit: &Visit<'_>, event: &Loaded, board: &Board) -> String {
    let texts = visit.texts();
    let mut told: Map<String, Value> =
        PLAIN_TEXTS.map(|key| (key.to_owned(), texts.text(key).into())).into_iter().collect();
    told.insert("chosen-seats".to_owned(), texts.about("chosen-seats", "{}").into());
    embedded(&json!({
        "event": event.data.id,
        "language": texts.language().code(),
        "currency": null,
        "limit": 0,
        "singles": "off",
        "sets": board.script_sets(),
        "states": board.script_states(),
        "texts": told,
    }))
}

fn encoded(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
}
