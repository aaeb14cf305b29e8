//! A hall with numbered seats: its map, and a concert that sells by it.

use serde_json::{Map, Value, json};

use super::api::text;
use super::calendar::Calendar;
use super::catalogue::Event;
use super::partners::Partner;
use super::picture::Colour;
use crate::installation::Fatal;

const VELVET: [Colour; 2] = [[60, 8, 24], [180, 60, 70]];
/// Rows of the stalls, and those of them that cost more.
const STALLS: u32 = 8;
const FRONT: u32 = 5;
/// Rows of the balcony, and seats of each.
const BALCONY: u32 = 3;
const BALCONY_SEATS: u32 = 24;
/// From one row to the next, in units of the drawing; as far as from one seat to the next.
const SPACE: u32 = 20;

/// Seats of a row of the stalls: each row is longer than the one before it.
fn seats_of(row: u32) -> u32 {
    10 + row
}

/// Makes the map of a venue, and an event that sells its seats.
pub(super) async fn publish(org: &Partner, venue: &str, calendar: &Calendar) -> Result<Event, Fatal> {
    let map = text(&org.api.post(&format!("/v1/resources/venues/{venue}/maps"), plan()).await?, "id")?;
    let strings = json!({
        "title": {"text": "Strings after Dark", "desc": "The hall is small: every seat is a good one."},
        "lifetime": calendar.lifetime(25, 20, 2),
        "status": "public", "venue": venue, "map": map, "tags": ["concert"],
        "media": {"cover": org.picture(640, 360, VELVET).await?},
    });
    let front =
        json!({"name": "Stalls", "pos": 1, "sector": "stalls", "seats": seats(1..=FRONT, seats_of), "price": "48.00"});
    let back = json!({
        "name": "Stalls, at the back", "pos": 2, "sector": "stalls", "seats": seats(FRONT + 1..=STALLS, seats_of),
        "price": "36.00",
    });
    let balcony = json!({
        "name": "Balcony", "pos": 3, "sector": "balcony", "seats": seats(1..=BALCONY, |_| BALCONY_SEATS),
        "price": "24.00",
    });
    let standing = json!({"name": "Standing", "pos": 4, "sector": "standing", "amount": 60, "price": "12.00"});
    Event::publish(org, strings, [front, back, balcony, standing]).await
}

/// Holds back the last seat of a set: it is the one beside the door.
pub(super) async fn block_last(org: &Partner, event: &Event, set: &str) -> Result<(), Fatal> {
    let path = format!("/v1/resources/events/{}/sets/{}", event.id, event.set(set)?);
    let tickets = org.api.get(&format!("{path}/tickets")).await?;
    let last = tickets.as_array().and_then(|tickets| tickets.last()).ok_or("the set has no seats")?;
    org.api.patch(&path, json!({"blocked": [last["id"]]})).await.map(drop)
}

fn plan() -> Value {
    let row = |name: u32, seats: u32, y: u32| {
        // In the middle of the hall.
        let x = -f64::from((seats - 1) * SPACE) / 2.0;
        json!({"row": name, "from": 1, "to": seats, "x": x, "y": y * SPACE, "dx": SPACE, "dy": 0})
    };
    let stalls: Vec<Value> = (1..=STALLS).map(|name| row(name, seats_of(name), name)).collect();
    let balcony: Vec<Value> = (1..=BALCONY).map(|name| row(name, BALCONY_SEATS, STALLS + 2 + name)).collect();
    json!({"name": "Great hall", "sectors": [
        {"id": "stalls", "name": "Stalls", "rows": stalls},
        {"id": "balcony", "name": "Balcony", "rows": balcony},
        {"id": "standing", "name": "Standing", "desc": "Behind the last row."},
    ]})
}

/// All seats of some rows, as a set names them.
fn seats(rows: impl Iterator<Item = u32>, count: impl Fn(u32) -> u32) -> Value {
    rows.map(|row| (row.to_string(), json!([[1, count(row)]]))).collect::<Map<String, Value>>().into()
}
