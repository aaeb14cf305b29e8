//! A hall with numbered seats: its map, and a concert that sells by it.

use serde_json::{Map, Value, json};

use super::calendar::Calendar;
use super::client::text_field;
use super::event::DemoEvent;
use super::partners::DemoPartner;
use super::posters;
use crate::error::Fatal;

const STRINGS_DESC: &str = "Four players, two centuries, one small hall: Schubert’s last quartet, and after the interval \
    something new that was written for this room.\n\nThe hall has eleven rows. Every seat is a good one, and the best are \
    nearer than you think.";
/// Rows of the stalls, and those of them that cost more.
const STALLS_ROWS: u32 = 8;
const FRONT_ROWS: u32 = 5;
/// Rows of the balcony, and seats of each.
const BALCONY_ROWS: u32 = 3;
const BALCONY_SEATS_PER_ROW: u32 = 24;
/// From one row to the next, in units of the drawing; as far as from one seat to the next.
const SEAT_SPACING: u32 = 20;

/// Seats of a row of the stalls: each row is longer than the one before it.
fn stalls_seats_in_row(row: u32) -> u32 {
    10 + row
}

/// Makes the map of a venue, and an event that sells its seats.
pub(super) async fn publish_seated_concert(
    org: &DemoPartner,
    venue: &str,
    calendar: &Calendar,
) -> Result<DemoEvent, Fatal> {
    let map =
        text_field(&org.client.post(&format!("/v1/resources/venues/{venue}/maps"), hall_map_body()).await?, "id")?;
    let strings = json!({
        "title": {"text": "Strings after Dark", "desc": STRINGS_DESC},
        "lifetime": calendar.vevent(25, 20, 2),
        "status": "public", "venue": venue, "map": map, "tags": ["concert"],
        "media": org.upload_poster(&posters::strings()).await?,
    });
    let front = json!({"name": "Stalls", "pos": 1, "sector": "stalls", "seats": seat_ranges(1..=FRONT_ROWS, stalls_seats_in_row), "price": "48.00"});
    let back = json!({
        "name": "Stalls, at the back", "pos": 2, "sector": "stalls", "seats": seat_ranges(FRONT_ROWS + 1..=STALLS_ROWS, stalls_seats_in_row),
        "price": "36.00",
    });
    let balcony = json!({
        "name": "Balcony", "pos": 3, "sector": "balcony", "seats": seat_ranges(1..=BALCONY_ROWS, |_| BALCONY_SEATS_PER_ROW),
        "price": "24.00",
    });
    let standing = json!({"name": "Standing", "pos": 4, "sector": "standing", "amount": 60, "price": "12.00"});
    DemoEvent::publish(org, strings, [front, back, balcony, standing]).await
}

/// Holds back the last seat of a set: it is the one beside the door.
pub(super) async fn block_last_seat(org: &DemoPartner, event: &DemoEvent, set: &str) -> Result<(), Fatal> {
    let path = format!("/v1/resources/events/{}/sets/{}", event.id, event.set_id(set)?);
    let tickets = org.client.get(&format!("{path}/tickets")).await?;
    let last = tickets.as_array().and_then(|tickets| tickets.last()).ok_or("the set has no seats")?;
    org.client.patch(&path, json!({"blocked": [last["id"]]})).await.map(drop)
}

fn hall_map_body() -> Value {
    let row = |name: u32, seats: u32, y: u32| {
        // In the middle of the hall.
        let x = -f64::from((seats - 1) * SEAT_SPACING) / 2.0;
        json!({"row": name, "from": 1, "to": seats, "x": x, "y": y * SEAT_SPACING, "dx": SEAT_SPACING, "dy": 0})
    };
    let stalls: Vec<Value> = (1..=STALLS_ROWS).map(|name| row(name, stalls_seats_in_row(name), name)).collect();
    let balcony: Vec<Value> =
        (1..=BALCONY_ROWS).map(|name| row(name, BALCONY_SEATS_PER_ROW, STALLS_ROWS + 2 + name)).collect();
    json!({"name": "Great hall", "sectors": [
        {"id": "stalls", "name": "Stalls", "rows": stalls},
        {"id": "balcony", "name": "Balcony", "rows": balcony},
        {"id": "standing", "name": "Standing", "desc": "Behind the last row."},
    ]})
}

/// All seats of some rows, as a set names them.
fn seat_ranges(rows: impl Iterator<Item = u32>, count: impl Fn(u32) -> u32) -> Value {
    rows.map(|row| (row.to_string(), json!([[1, count(row)]]))).collect::<Map<String, Value>>().into()
}
