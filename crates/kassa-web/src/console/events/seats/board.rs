//! The seats of an event as its organizer sees them: which are free, held back or taken, and those of the hall that have no
//! price yet.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::rows::runs_of;
use crate::console::events::{Loaded, resource};
use crate::console::fault::Fault;
use crate::console::visit::Visit;
use crate::error::PageError;
use crate::hall::{Hall, HallSet};
use crate::model::SetData;
use crate::pages::seats::shape_of;
use crate::seat_data::{AvailabilityData, LayoutData, MapData, MapSector, RowLayout, SetLayout};

/// What the ids of seats without a price begin with, before the place of their sector in the map.
const UNPRICED: &str = "map";
/// The shape that they have in the picture: none of those of prices.
const UNPRICED_SHAPE: usize = 8;
/// Seats without a price that are shown, at most.
const UNPRICED_MAX: usize = 100_000;

/// How a seat is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SeatState {
    Vacant,
    /// Held back.
    Blocked,
    /// Held by an order, or sold.
    Taken,
    /// Without a price, and so without a ticket.
    Unpriced,
}

/// The seats of a set, or those of a sector without a price.
pub(super) struct BoardSet {
    pub(super) id: String,
    pub(super) name: String,
    /// The id of its sector; empty without one.
    pub(super) sector: String,
    /// The price; none of seats that have none.
    pub(super) price: Option<String>,
    pub(super) shape: usize,
    /// One for each seat, in the order of the hall.
    states: Vec<SeatState>,
}

/// All seats.
pub(super) struct Board {
    pub(super) hall: Hall,
    /// In the order of the hall's.
    pub(super) sets: Vec<BoardSet>,
}

impl BoardSet {
    pub(super) fn state(&self, at: usize) -> SeatState {
        self.states.get(at).copied().unwrap_or(SeatState::Taken)
    }

    pub(super) fn count(&self, state: SeatState) -> usize {
        self.states.iter().filter(|other| **other == state).count()
    }

    pub(super) fn is_priced(&self) -> bool {
        self.price.is_some()
    }

    /// A bit for each seat that is in one of some states, as the interface writes bits.
    fn bits(&self, states: &[SeatState]) -> String {
        let mut bytes = vec![0_u8; self.states.len().div_ceil(8)];
        for (at, state) in self.states.iter().enumerate() {
            if states.contains(state) {
                bytes[at / 8] |= 1 << (at % 8);
            }
        }
        BASE64_STANDARD.encode(bytes)
    }
}

impl Board {
    /// What is there now.
    pub(super) async fn load(visit: &Visit<'_>, event: &Loaded) -> Result<Self, Fault> {
        let base = format!("/v2/resources/events/{}/availability", event.data.id);
        let mut layout: LayoutData = read_as(visit, &format!("{base}/layout"), Some("data")).await?;
        let left: AvailabilityData = read_as(visit, &base, Some("data")).await?;
        if layout.layout != left.layout {
            // Somebody changes the seats at this moment.
            return Err(PageError::Busy { retry_after: 1 }.into());
        }
        let map = match (event.venue_id(), event.data.map.as_deref()) {
            ("", _) | (_, None) => None,
            (venue, Some(map)) => {
                let path = format!("/v1/resources/venues/{venue}/maps/{map}");
                Some(read_as::<MapData>(visit, &path, None).await?)
            }
        };
        let blocked = blocked_of(visit, event).await?;
        layout.sets.retain(|set| !set.rows.is_empty());
        let priced = layout.sets.len();
        layout.sets.extend(map.as_ref().map(|map| unpriced(map, &layout.sets)).unwrap_or_default());
        let hall = Hall::new(&layout, map.as_ref());
        let sets = layout.sets.iter().zip(&hall.sets).enumerate().map(|(at, (laid_out, seats))| {
            let is_priced = at < priced;
            let free = left.sets.iter().find(|left| left.id == laid_out.id).map(|left| left.free.as_slice());
            let state = |row: &str, number: u16, bit: usize| {
                let is_free = free.is_some_and(|free| free.get(bit / 8).is_some_and(|byte| byte >> (bit % 8) & 1 == 1));
                match (is_priced, is_free) {
                    (false, _) => SeatState::Unpriced,
                    (true, true) => SeatState::Vacant,
                    _ if blocked.contains(&(laid_out.id.clone(), row.to_owned(), number)) => SeatState::Blocked,
                    _ => SeatState::Taken,
                }
            };
            board_set(visit, event, laid_out, (seats, &state))
        });
        let sets = sets.collect();
        Ok(Self { hall, sets })
    }

    pub(super) fn set(&self, id: &str) -> Option<(&BoardSet, &HallSet)> {
        self.sets.iter().zip(&self.hall.sets).find(|(set, _)| set.id == id)
    }

    /// What the script is told of each set: its price and shape, which seats can be chosen, and which are held back.
    pub(super) fn script_sets(&self) -> Value {
        let set = |set: &BoardSet| {
            let text = set.price.clone().unwrap_or_default();
            (set.id.clone(), json!({"price": "0.00", "text": text, "shape": set.shape}))
        };
        Value::Object(self.sets.iter().map(set).collect())
    }

    pub(super) fn script_states(&self) -> Value {
        let state = |set: &BoardSet| {
            let open = set.bits(&[SeatState::Vacant, SeatState::Blocked, SeatState::Unpriced]);
            json!({"id": set.id, "on_sale": true, "free": open, "held": set.bits(&[SeatState::Blocked])})
        };
        self.sets.iter().map(state).collect()
    }
}

/// Whether an id is one of seats without a price.
pub(super) fn is_unpriced(id: &str) -> bool {
    id.strip_prefix(UNPRICED).is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|digit| digit.is_ascii_digit()))
}

/// How a seat is, by its row, its number and its bit.
type StateOf<'s> = dyn Fn(&str, u16, usize) -> SeatState + 's;

fn board_set(
    visit: &Visit<'_>,
    event: &Loaded,
    laid_out: &SetLayout,
    (seats, state): (&HallSet, &StateOf<'_>),
) -> BoardSet {
    let data = event.data.sets.iter().find(|data| data.id == laid_out.id);
    let price = |data: &SetData| visit.texts().amount(data.price, visit.shop.settings.currency);
    let of_row = seats.rows.iter().flat_map(|row| {
        (row.first..).zip(&row.numbers).map(|(bit, number)| state(&row.name, *number, bit)).collect::<Vec<_>>()
    });
    BoardSet {
        id: laid_out.id.clone(),
        name: laid_out.name.clone(),
        sector: laid_out.sector.clone().unwrap_or_default(),
        price: data.map(price),
        shape: data.map_or(UNPRICED_SHAPE, |data| shape_of(&event.data, data)),
        states: of_row.collect(),
    }
}

/// Reads something of the interface.
async fn read_as<T: DeserializeOwned>(visit: &Visit<'_>, path: &str, member: Option<&str>) -> Result<T, Fault> {
    let mut answer = visit.read(path).await?.value;
    let value = match member {
        Some(member) => answer[member].take(),
        None => answer,
    };
    serde_json::from_value(value).map_err(|error| {
        tracing::error!(path, %error, "the seats of an event could not be read");
        PageError::Internal.into()
    })
}

/// The seats that are held back: their sets, rows and numbers.
async fn blocked_of(visit: &Visit<'_>, event: &Loaded) -> Result<BTreeSet<(String, String, u16)>, Fault> {
    let path = format!("{}/tickets?status=blocked&fields-schema=set,seat%7Brow,number%7D", resource(&event.data.id));
    let mut blocked = BTreeSet::new();
    let take = |ticket: Value| {
        let number = ticket["seat"]["number"].as_u64().and_then(|number| u16::try_from(number).ok());
        if let (Some(set), Some(number)) = (ticket["set"].as_str(), number) {
            blocked.insert((set.to_owned(), row_name(&ticket["seat"]["row"]), number));
        }
        ControlFlow::Continue(())
    };
    visit.read_items(&path, take).await?;
    Ok(blocked)
}

/// The name of a row: those that are written in digits come as numbers.
pub(super) fn row_name(row: &Value) -> String {
    row.as_str().map_or_else(|| row.to_string(), str::to_owned)
}

/// The seats of a map that are in no set, as sets of their own.
fn unpriced(map: &MapData, sets: &[SetLayout]) -> Vec<SetLayout> {
    let mut left = UNPRICED_MAX;
    let mut found = Vec::new();
    for (at, sector) in map.sectors.iter().enumerate() {
        let taken: BTreeSet<(&str, u16)> = sets
            .iter()
            .filter(|set| set.sector.as_deref() == Some(&sector.id))
            .flat_map(|set| &set.rows)
            .flat_map(|row| {
                row.seats.iter().flat_map(|(from, to)| *from..=*to).map(|number| (row.row.as_str(), number))
            })
            .collect();
        let rows: Vec<RowLayout> = rows_without(sector, &taken, &mut left);
        if !rows.is_empty() {
            let (id, sector_id) = (format!("{UNPRICED}{at}"), Some(sector.id.clone()));
            found.push(SetLayout { id, name: sector.name.clone(), sector: sector_id, rows });
        }
    }
    found
}

/// The rows of a sector, from the front on, without the seats that are taken.
fn rows_without(sector: &MapSector, taken: &BTreeSet<(&str, u16)>, left: &mut usize) -> Vec<RowLayout> {
    let mut order: Vec<&str> = Vec::new();
    let mut numbers: BTreeMap<&str, BTreeSet<u16>> = BTreeMap::new();
    for piece in &sector.rows {
        if !order.contains(&piece.row.as_str()) {
            order.push(&piece.row);
        }
        let free = (piece.from..=piece.to).filter(|number| !taken.contains(&(piece.row.as_str(), *number))).take(*left);
        let own = numbers.entry(&piece.row).or_default();
        let before = own.len();
        own.extend(free);
        *left -= own.len() - before;
    }
    let row = |name: &str| RowLayout { row: name.to_owned(), seats: runs_of(&numbers[name]) };
    order.into_iter().map(row).filter(|row| !row.seats.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_set_has_is_without_a_price() {
        let piece = |row: &str, from: u16, to: u16| json!({"row": row, "from": from, "to": to, "x": 0.0, "y": 0.0, "dx": 20.0, "dy": 0.0});
        let sectors = json!([
            {"id": "A", "name": "Stalls", "rows": [piece("1", 1, 4), piece("2", 1, 2), piece("1", 6, 7)]},
            {"id": "B", "name": "Standing", "rows": []},
            {"id": "C", "name": "Balcony", "rows": [piece("1", 1, 2)]},
        ]);
        let map: MapData = serde_json::from_value(json!({"updated_at": "", "sectors": sectors})).unwrap();
        let set = json!({"id": "0a", "name": "Front", "sector": "A", "rows": [{"row": "1", "seats": [[2, 3]]}, {"row": "2", "seats": [[1, 2]]}]});
        let sets: Vec<SetLayout> = vec![serde_json::from_value(set).unwrap()];
        let found = unpriced(&map, &sets);
        let ids: Vec<&str> = found.iter().map(|set| set.id.as_str()).collect();
        assert_eq!(ids, ["map0", "map2"]);
        assert_eq!(found[0].rows.len(), 1, "the second row has its price");
        assert_eq!(found[0].rows[0].seats, [(1, 1), (4, 4), (6, 7)]);
        assert!(is_unpriced("map0") && !is_unpriced("map") && !is_unpriced("0a"));
    }
}
