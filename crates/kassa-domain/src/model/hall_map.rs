//! Hall maps: where the seats of a venue are. A map belongs to a venue and is changed by
//! the partner that made the venue; events there say which map they sell by.

use serde::{Deserialize, Serialize};

use super::row::Row;
use crate::values::resource_ids::{HallMapId, VenueId};
use crate::values::revision::Revision;
use crate::values::seating::{RowName, SeatRange, Seating};
use crate::values::time::Timestamp;

/// A hall map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HallMap {
    /// The id.
    pub id: HallMapId,
    /// The venue; it never changes.
    pub venue: VenueId,
    /// Its name.
    pub name: String,
    /// Its description.
    pub desc: Option<String>,
    /// Its sectors, in the order in which they were given.
    pub sectors: Vec<Sector>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last edited.
    pub updated_at: Timestamp,
    /// Counts edits.
    pub revision: Revision,
}

/// A part of a hall.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sector {
    /// What sets name it by; unique in the map.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub desc: Option<String>,
    /// Its rows of seats; none in a sector where people stand.
    #[serde(default)]
    pub rows: Vec<SeatRow>,
}

/// A straight row of seats, or a straight piece of one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatRow {
    /// What the row is called.
    pub row: RowName,
    /// The numbers of its seats.
    pub seats: SeatRange,
    /// Where the first seat is.
    pub x: DrawingLength,
    /// Where the first seat is; downwards.
    pub y: DrawingLength,
    /// From one seat to the next.
    pub dx: DrawingLength,
    /// From one seat to the next; downwards.
    pub dy: DrawingLength,
    /// How good the row is, the best first; without it, the front is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<u32>,
}

/// A length in the drawing, in hundredths of its unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DrawingLength(pub i32);

impl DrawingLength {
    /// How many of these are a unit of the drawing.
    pub const PER_UNIT: i32 = 100;

    /// The length nearest to so many units.
    #[expect(clippy::cast_possible_truncation, reason = "what does not fit becomes the longest")]
    pub fn from_units(units: f64) -> Self {
        Self((units * f64::from(Self::PER_UNIT)).round() as i32)
    }

    /// In units of the drawing.
    pub fn units(self) -> f64 {
        f64::from(self.0) / f64::from(Self::PER_UNIT)
    }
}

impl SeatRow {
    /// Where each of its seats is: number, x, y.
    pub fn seat_positions(&self) -> impl Iterator<Item = (u16, DrawingLength, DrawingLength)> {
        let numbers = self.seats.from..=self.seats.to;
        numbers.map(|number| {
            let (x, y) = self.seat_position(number);
            (number, x, y)
        })
    }

    /// Where the seat of this number is, if the row has it.
    pub fn seat_position(&self, number: u16) -> (DrawingLength, DrawingLength) {
        let at = i32::from(number) - i32::from(self.seats.from);
        let step = |start: DrawingLength, step: DrawingLength| {
            DrawingLength(start.0.saturating_add(step.0.saturating_mul(at)))
        };
        (step(self.x, self.dx), step(self.y, self.dy))
    }
}

impl HallMap {
    /// The sector of this id.
    pub fn sector(&self, id: &str) -> Option<&Sector> {
        self.sectors.iter().find(|sector| sector.id == id)
    }

    /// Whether every seat of `other` is on this map, too.
    pub fn covers(&self, other: &Self) -> bool {
        other.sectors.iter().all(|sector| {
            let own = self.sector(&sector.id).map(Sector::seating);
            own.is_some_and(|own| sector.seating().difference(&own).is_empty())
        })
    }
}

impl Sector {
    /// Its seats.
    pub fn seating(&self) -> Seating {
        // No sector of a map has a seat twice.
        self.try_seating().unwrap_or_default()
    }

    /// Its seats; or the row that has a seat twice.
    pub(crate) fn try_seating(&self) -> Result<Seating, RowName> {
        Seating::from_ranges(self.rows.iter().map(|row| (row.row.clone(), row.seats)))
    }
}

impl Row for HallMap {
    type Key = HallMapId;

    fn key(&self) -> HallMapId {
        self.id
    }
}
