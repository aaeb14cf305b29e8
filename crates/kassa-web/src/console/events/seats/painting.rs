//! What is done with chosen seats: they are held back or freed, given to a set, or to a new one at a price of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use serde_json::{Value, json};

use super::board::{Board, is_unpriced, row_name};
use super::choice::Choice;
use super::moving::{Move, Painted};
use super::rows::Rows;
use crate::console::events::form::money;
use crate::console::events::tickets::{Change, change_blocked};
use crate::console::events::{Loaded, resource};
use crate::console::fault::{Fault, Refusal};
use crate::console::fields::Fields;
use crate::console::visit::{Conditions, Visit, checked_id};

/// Holds the chosen seats back, or frees them.
pub(super) async fn block(visit: &Visit<'_>, event: &Loaded, choice: &Choice, is_free: bool) -> Result<Painted, Fault> {
    if choice.sets().any(|(set, _)| is_unpriced(set)) {
        return Ok(Err(Refusal::of_page("seats_without_price")));
    }
    for (set, rows) in choice.sets() {
        let tickets = tickets_of(visit, event, checked_id(set)?, rows).await?;
        let change = if is_free { Change::Free(&tickets) } else { Change::Block(&tickets) };
        if let Err(refusal) = change_blocked(visit, &event.data.id, set, change).await? {
            return Ok(Err(refusal));
        }
    }
    Ok(Ok(()))
}

/// Gives the chosen seats to a set, whose price they have from then on.
pub(super) async fn give(
    visit: &Visit<'_>,
    event: &Loaded,
    (board, choice): (&Board, &Choice),
    target: &str,
) -> Result<Painted, Fault> {
    let Some((to, _)) = board.set(target).filter(|(set, _)| set.is_priced()) else {
        return Ok(Err(Refusal::of_page("set_not_chosen")));
    };
    let sectors = by_sector(board, choice);
    if sectors.keys().any(|sector| *sector != to.sector) {
        return Ok(Err(Refusal::of_page("other_sector")));
    }
    let Some(rows) = sectors.into_values().next() else { return Ok(Err(Refusal::of_page("seats_not_chosen"))) };
    let mut moving = Move::new(visit, sets_path(event));
    let outcome = match moving.take(&rows, target).await {
        Ok(Ok(())) => moving.give(&rows, target).await,
        untaken => untaken,
    };
    moving.end(outcome).await
}

/// Makes a set of the chosen seats, at a price of its own; one for each sector that they are in.
pub(super) async fn price(
    visit: &Visit<'_>,
    event: &Loaded,
    (board, choice): (&Board, &Choice),
    fields: &mut Fields,
) -> Result<Painted, Fault> {
    let sectors = by_sector(board, choice);
    // As the form was shown: one that is sent twice says the same twice.
    let last = fields.given("_pos").and_then(|pos| pos.parse().ok()).unwrap_or(event.data.sets.len());
    for (at, (sector, rows)) in sectors.iter().enumerate() {
        let mut seats = Rows::default();
        for rows in rows.values() {
            seats.add_all(rows);
        }
        let body = json!({
            "name": fields.value("name").trim(),
            "price": money(fields.value("price")),
            "sector": Some(sector).filter(|sector| !sector.is_empty()),
            "seats": seats.to_layout(),
            "pos": last + at,
        });
        let key = fields.given("_key").map(|key| format!("{key}-{at}"));
        let conditions = Conditions { key: key.as_deref(), tag: None };
        let mut moving = Move::new(visit, sets_path(event));
        let outcome = match moving.take(rows, "").await {
            Ok(Ok(())) => {
                let made = visit.send_if("POST", &sets_path(event), Some(&body), conditions).await;
                made.map(|made| made.map(drop))
            }
            untaken => untaken,
        };
        if let Err(refusal) = moving.end(outcome).await? {
            fields.refuse(visit.texts(), &refusal, &[]);
            return Ok(Err(refusal));
        }
    }
    Ok(Ok(()))
}

/// The chosen seats by their sectors, and by their sets in each.
fn by_sector<'c>(board: &Board, choice: &'c Choice) -> BTreeMap<String, BTreeMap<&'c str, Rows>> {
    let mut sectors: BTreeMap<String, BTreeMap<&str, Rows>> = BTreeMap::new();
    for (id, rows) in choice.sets() {
        if let Some((set, _)) = board.set(id) {
            sectors.entry(set.sector.clone()).or_default().insert(id, rows.clone());
        }
    }
    sectors
}

/// The path of the sets of an event.
fn sets_path(event: &Loaded) -> String {
    format!("{}/sets", resource(&event.data.id))
}

/// The tickets of some seats of a set.
async fn tickets_of(visit: &Visit<'_>, event: &Loaded, set: &str, rows: &Rows) -> Result<Vec<String>, Fault> {
    let path = format!("{}/sets/{set}/tickets?fields-schema=id,seat%7Brow,number%7D", resource(&event.data.id));
    let mut found: BTreeSet<String> = BTreeSet::new();
    let take = |ticket: Value| {
        let number = ticket["seat"]["number"].as_u64().and_then(|number| u16::try_from(number).ok());
        let is_chosen = number.is_some_and(|number| rows.has(&row_name(&ticket["seat"]["row"]), number));
        if let Some(id) = ticket["id"].as_str().filter(|_| is_chosen) {
            found.insert(id.to_owned());
        }
        ControlFlow::Continue(())
    };
    visit.read_items(&path, take).await?;
    Ok(found.into_iter().collect())
}
