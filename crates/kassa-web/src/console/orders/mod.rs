//! Orders: how they are found, one order with all that belongs to it, and what is done with it.

mod acting;
mod listing;
mod payment_words;
mod refunds;
mod returning;
mod showing;

use jiff::tz::TimeZone;
use kassa_texts::Texts;
use serde_json::Value;

pub(crate) use self::acting::act;
pub(crate) use self::listing::list;
pub(crate) use self::refunds::refunds;
pub(crate) use self::returning::{ReturningRow, returning};
pub(crate) use self::showing::show;
use super::times::{in_words, of_v2, zone_of};
use super::visit::Visit;

/// States of orders as version 2 names them, and what they are called.
const STATES: [(&str, &str); 6] = [
    ("", "orders-all"),
    ("done", "order-state-done"),
    ("in_progress", "order-state-paying"),
    ("executed", "order-state-held"),
    ("cancelled", "order-state-canceled"),
    ("expired", "order-state-expired"),
];

/// The state of an order; one that was paid back whole has a word of its own.
fn state_of(order: &Value) -> String {
    let is_empty = order["tickets"].as_array().is_some_and(Vec::is_empty);
    let is_paid_back = is_empty && order["refunded"].as_str().is_some_and(|sum| sum != "0.00");
    if order["status"] == "done" && is_paid_back { "refunded".to_owned() } else { text(&order["status"]) }
}

/// The state of an order in words.
pub(super) fn order_state(order: &Value, texts: &Texts) -> String {
    state_text(&state_of(order), texts)
}

/// What a state is called.
fn state_text(status: &str, texts: &Texts) -> String {
    if status == "refunded" {
        return texts.text("order-state-refunded");
    }
    STATES
        .iter()
        .skip(1)
        .find(|(name, _)| *name == status)
        .map_or_else(|| status.to_owned(), |(_, key)| texts.text(key))
}

/// What the state of a refund request is called.
fn refund_state(status: &str, texts: &Texts) -> String {
    texts.text(match status {
        "approved" => "refund-approved",
        "rejected" => "refund-rejected",
        "in_progress" => "refund-in-progress",
        _ => "refund-new",
    })
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// A sum of money in words.
fn money(visit: &Visit<'_>, value: &Value) -> String {
    match value.as_str().and_then(|sum| sum.parse().ok()) {
        Some(sum) => visit.texts().amount(sum, visit.shop.settings.currency),
        None => String::new(),
    }
}

/// A time of version 2 in words.
fn time(visit: &Visit<'_>, value: &Value, zone: &TimeZone) -> String {
    let at = value.as_str().and_then(of_v2).map(|at| at.to_zoned(zone.clone()));
    at.map(|at| in_words(visit.request.language, &at)).unwrap_or_default()
}

/// The zone of the event of an order.
fn zone(event: &Value) -> TimeZone {
    zone_of(event["timezone"].as_str().unwrap_or_default())
}

/// Who ordered, in one line.
pub(super) fn customer(order: &Value) -> String {
    let customer = &order["settings"]["customer"];
    let known = [&customer["name"], &customer["email"]].map(text);
    known.into_iter().find(|text| !text.is_empty()).unwrap_or_default()
}
