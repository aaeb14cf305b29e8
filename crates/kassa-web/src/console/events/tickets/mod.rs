//! Tickets of an event: their list, one of them, and those that are held back.

mod blocking;
mod listing;
mod showing;

use serde_json::Value;

pub(super) use self::blocking::{Change, change_blocked};
pub(crate) use self::listing::list;
pub(crate) use self::showing::show;
use super::Loaded;
use crate::console::visit::Visit;

/// States of tickets as the interface names them, and what they are called.
const STATES: [(&str, &str); 5] = [
    ("", "tickets-all"),
    ("vacant", "ticket-vacant"),
    ("reserved", "ticket-reserved"),
    ("sold", "ticket-sold"),
    ("blocked", "ticket-blocked"),
];

/// A ticket in words.
struct TicketRow {
    path: String,
    /// Its set and its id, as forms name it.
    value: String,
    number: String,
    /// Its seat; empty without one.
    seat: String,
    set: String,
    state: &'static str,
    state_text: String,
    barcode: String,
    /// Whether it can be held back, or put back on sale.
    can_be_blocked: bool,
}

fn row_of(visit: &Visit<'_>, event: &Loaded, ticket: &Value) -> TicketRow {
    let texts = visit.texts();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let (id, set) = (text(&ticket["id"]), text(&ticket["set"]));
    let status = ticket["status"].as_str().unwrap_or_default();
    let (_, key) = STATES.into_iter().find(|(state, _)| *state == status).unwrap_or(STATES[0]);
    let name = event.data.sets.iter().find(|other| other.id == set).map(|set| set.name.clone());
    TicketRow {
        path: format!("{}/events/{}/sets/{set}/tickets/{id}", visit.home(), event.data.id),
        number: format!("{} {}", text(&ticket["serial"]), ticket["number"]),
        seat: seat_in_words(visit, &ticket["seat"]),
        set: name.unwrap_or_default(),
        state: match status {
            "sold" => "done",
            "reserved" => "draft",
            "blocked" => "canceled",
            _ => "vacant",
        },
        state_text: texts.text(key),
        barcode: text(&ticket["barcode"]),
        can_be_blocked: matches!(status, "vacant" | "blocked") && event.is_open(),
        value: format!("{set}.{id}"),
    }
}

/// The row and the number of a seat.
fn seat_in_words(visit: &Visit<'_>, seat: &Value) -> String {
    if seat["number"].is_null() {
        return String::new();
    }
    let row = seat["row"].as_str().map_or_else(|| seat["row"].to_string(), str::to_owned);
    visit.texts().with("seat-of", &[("row", &row), ("number", &seat["number"].to_string())])
}
