//! What the interface says of the seats of an event: their names, where they are, and which can be had.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::{Deserialize, Deserializer};

/// An answer of version 2.
#[derive(Debug, Deserialize)]
pub(crate) struct Answer<T> {
    pub(crate) data: T,
}

/// What is left of an event.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct AvailabilityData {
    /// Which layout the bits are of.
    pub(crate) layout: String,
    pub(crate) sets: Vec<SetLeft>,
}

/// What is left of a set.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct SetLeft {
    pub(crate) id: String,
    pub(crate) on_sale: bool,
    /// A bit for each seat in the order of the layout.
    #[serde(default, deserialize_with = "bits")]
    pub(crate) free: Vec<u8>,
}

impl SetLeft {
    /// Whether the seat at a place of the layout can be had.
    pub(crate) fn is_free(&self, at: usize) -> bool {
        self.on_sale && self.free.get(at / 8).is_some_and(|byte| byte >> (at % 8) & 1 == 1)
    }
}

/// The sets and seats of an event.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct LayoutData {
    pub(crate) layout: String,
    pub(crate) sets: Vec<SetLayout>,
}

/// A set and its rows.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct SetLayout {
    pub(crate) id: String,
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) sector: Option<String>,
    #[serde(default)]
    pub(crate) rows: Vec<RowLayout>,
}

/// A row: its numbers, from the first to the last of each group of neighbours.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct RowLayout {
    pub(crate) row: String,
    pub(crate) seats: Vec<(u16, u16)>,
}

/// A hall map.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct MapData {
    pub(crate) updated_at: String,
    #[serde(default)]
    pub(crate) sectors: Vec<MapSector>,
}

/// A part of a hall.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct MapSector {
    pub(crate) id: String,
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) rows: Vec<MapRow>,
}

/// A straight piece of a row.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct MapRow {
    #[serde(deserialize_with = "row_name")]
    pub(crate) row: String,
    pub(crate) from: u16,
    pub(crate) to: u16,
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) dx: f64,
    pub(crate) dy: f64,
    #[serde(default)]
    pub(crate) rank: Option<u32>,
}

fn bits<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    let text = String::deserialize(deserializer)?;
    BASE64_STANDARD.decode(text).map_err(serde::de::Error::custom)
}

/// Names of rows that are written in digits come as numbers.
fn row_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Name {
        Digits(u32),
        Text(String),
    }
    Name::deserialize(deserializer).map(|name| match name {
        Name::Digits(number) => number.to_string(),
        Name::Text(text) => text,
    })
}
