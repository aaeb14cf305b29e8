//! A hall with numbered seats: its map, and a concert that sells by it.

use std::ops::RangeInclusive;

use serde_json::{Map, Value, json};

use super::calendar::Calendar;
use super::client::text_field;
use super::event::DemoEvent;
use super::partners::DemoPartner;
use super::posters;
use crate::error::Fatal;

const STRINGS_DESC: &str = "Four players, two centuries, one round hall: Schubert’s last quartet, and after the interval \
    something new that was written for this room.\n\nThe rows lie around the stage like rings in water. Every seat is a good \
    one, and the best are nearer than you think.";
/// From one seat to its neighbour and from one row to the next, in units of the drawing.
const SEAT_SPACING: f64 = 20.0;
const ROW_SPACING: f64 = 24.0;
/// From the middle of the stage to the row before the first.
const STAGE_RADIUS: f64 = 190.0;

/// A part of the hall: rows that are arcs around the stage, each between the same two angles.
struct Block {
    id: &'static str,
    name: &'static str,
    /// Rows of other blocks between its first one and the stage.
    rows_before: u32,
    rows: u32,
    /// From where to where, in radians; 0 is straight ahead.
    from: f64,
    to: f64,
}

const BLOCKS: [Block; 4] = [
    Block { id: "stalls", name: "Stalls", rows_before: 0, rows: 14, from: -0.5, to: 0.5 },
    Block { id: "left", name: "Left wing", rows_before: 3, rows: 10, from: -1.06, to: -0.57 },
    Block { id: "right", name: "Right wing", rows_before: 3, rows: 10, from: 0.57, to: 1.06 },
    Block { id: "balcony", name: "Balcony", rows_before: 16, rows: 4, from: -0.98, to: 0.98 },
];

/// Sets by the rows of their blocks that they sell: block, rows, name, price.
const SETS: [(usize, RangeInclusive<u32>, &str, &str); 5] = [
    (0, 1..=6, "Stalls", "48.00"),
    (0, 7..=14, "Stalls, at the back", "36.00"),
    (1, 1..=10, "Left wing", "30.00"),
    (2, 1..=10, "Right wing", "30.00"),
    (3, 1..=4, "Balcony", "24.00"),
];

/// What the box office has sold: set, row, first seat, number of seats. Nobody has sat down in the first row yet.
const SOLD: [(&str, u32, u32, u32); 26] = [
    ("Stalls", 2, 4, 4),
    ("Stalls", 3, 1, 3),
    ("Stalls", 3, 6, 2),
    ("Stalls", 4, 5, 4),
    ("Stalls", 5, 2, 2),
    ("Stalls", 5, 8, 5),
    ("Stalls", 6, 6, 2),
    ("Stalls, at the back", 7, 3, 2),
    ("Stalls, at the back", 7, 9, 4),
    ("Stalls, at the back", 8, 6, 6),
    ("Stalls, at the back", 9, 1, 2),
    ("Stalls, at the back", 10, 8, 3),
    ("Stalls, at the back", 12, 10, 2),
    ("Stalls, at the back", 13, 4, 8),
    ("Left wing", 1, 2, 2),
    ("Left wing", 4, 1, 4),
    ("Left wing", 7, 5, 2),
    ("Right wing", 2, 1, 2),
    ("Right wing", 3, 3, 3),
    ("Right wing", 9, 2, 5),
    ("Balcony", 1, 24, 6),
    ("Balcony", 1, 40, 2),
    ("Balcony", 2, 20, 2),
    ("Balcony", 2, 30, 9),
    ("Balcony", 3, 12, 4),
    ("Balcony", 4, 33, 2),
];

impl Block {
    fn radius(&self, row: u32) -> f64 {
        STAGE_RADIUS + f64::from(self.rows_before + row) * ROW_SPACING
    }

    /// Seats of a row: as many as fit.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some dozens of seats")]
    fn seats_in_row(&self, row: u32) -> u32 {
        ((self.to - self.from) * self.radius(row) / SEAT_SPACING) as u32
    }

    /// The seats of a row around the middle of the block, each with its place.
    fn row(&self, row: u32) -> impl Iterator<Item = Value> {
        let (radius, count) = (self.radius(row), self.seats_in_row(row));
        let middle = f64::midpoint(self.from, self.to);
        (1..=count).map(move |number| {
            let angle = middle + (f64::from(number) - f64::from(count + 1) / 2.0) * SEAT_SPACING / radius;
            let hundredths = |length: f64| (length * 100.0).round() / 100.0;
            let (x, y) = (hundredths(radius * angle.sin()), hundredths(radius * angle.cos()));
            json!({"row": row, "from": number, "to": number, "x": x, "y": y, "dx": 0, "dy": 0})
        })
    }
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
        "status": "public", "venue": venue, "map": map, "tags": ["concert"], "single_seats": "warn",
        "media": org.upload_poster(&posters::strings()).await?,
    });
    let seated = SETS.into_iter().zip(1..).map(|((block, rows, name, price), pos)| {
        let block = &BLOCKS[block];
        let seats = rows.map(|row| (row.to_string(), json!([[1, block.seats_in_row(row)]])));
        let seats = seats.collect::<Map<String, Value>>();
        json!({"name": name, "pos": pos, "sector": block.id, "seats": seats, "price": price})
    });
    let standing = json!({"name": "Standing", "pos": 6, "sector": "standing", "amount": 60, "price": "12.00"});
    DemoEvent::publish(org, strings, seated.chain([standing])).await
}

/// Sells seats at the box office, so that the hall is as halls are.
pub(super) async fn sell_at_the_box_office(org: &DemoPartner, event: &DemoEvent) -> Result<(), Fatal> {
    for (set, row, first, count) in SOLD {
        let rows = Map::from_iter([(row.to_string(), json!([[first, first + count - 1]]))]);
        let seats = Map::from_iter([(event.set_id(set)?, rows.into())]);
        let made = org.client.post("/v2/resources/orders", json!({"event": event.id, "seats": seats})).await?;
        let path = format!("/v2/resources/orders/{}", text_field(&made["data"], "id")?);
        org.client.patch(&path, json!({"status": "done"})).await?;
    }
    Ok(())
}

/// Holds back the last seat of a set: it is the one beside the door.
pub(super) async fn block_last_seat(org: &DemoPartner, event: &DemoEvent, set: &str) -> Result<(), Fatal> {
    let path = format!("/v1/resources/events/{}/sets/{}", event.id, event.set_id(set)?);
    let tickets = org.client.get(&format!("{path}/tickets")).await?;
    let last = tickets.as_array().and_then(|tickets| tickets.last()).ok_or("the set has no seats")?;
    org.client.patch(&path, json!({"blocked": [last["id"]]})).await.map(drop)
}

fn hall_map_body() -> Value {
    let seated = BLOCKS.iter().map(|block| {
        let rows: Vec<Value> = (1..=block.rows).flat_map(|row| block.row(row)).collect();
        json!({"id": block.id, "name": block.name, "rows": rows})
    });
    let standing = json!({"id": "standing", "name": "Standing", "desc": "Behind the last row."});
    json!({"name": "Great hall", "sectors": seated.chain([standing]).collect::<Vec<Value>>()})
}
