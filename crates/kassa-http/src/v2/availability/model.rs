//! What is left of an event, and its seats, as version 2 shows them.

use std::collections::BTreeMap;

use axum::body::Bytes;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use kassa_domain::seating::{RowName, SeatRange, Seating};
use kassa_engine::availability::{Availability, SeatBits, SetAvailability, SetLayout};
use serde::Serialize;
use utoipa::ToSchema;

use crate::availability_streams::AvailabilityFrames;
use crate::response::entity_tags;
use crate::response::event_stream::event_text;
use crate::wire::{EmptyBody, EventRef, IdRef, SetRef};

/// What is left of an event.
#[derive(Serialize, ToSchema)]
#[schema(as = Availability)]
struct AvailabilityBody<'a> {
    /// The id of the event.
    event: EventRef,
    /// Which sets and seats these are: `layout` of `…/availability/layout`.
    #[schema(example = "9b6f0a4be1c2d3f4")]
    layout: &'a str,
    /// Whether tickets of the event are on sale.
    on_sale: bool,
    /// Its sets, by `pos`.
    sets: Vec<SetAvailabilityBody>,
}

/// What is left of a set.
#[derive(Serialize, ToSchema)]
#[schema(as = SetAvailability)]
struct SetAvailabilityBody {
    /// The id of the set.
    id: SetRef,
    /// How many of its tickets can be had.
    #[schema(example = 3)]
    left: i64,
    /// Whether they are on sale now.
    on_sale: bool,
    /// Which of its seats can be had: a bit for each in the order of the layout, eight to a byte, the first one lowest, in
    /// base64. Missing for a set without seats.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "Cw==")]
    free: Option<String>,
}

/// What is left of an event.
#[derive(Serialize, ToSchema)]
#[schema(as = AvailabilityAnswer)]
pub(super) struct AvailabilityResponse<'a> {
    /// What is left.
    data: AvailabilityBody<'a>,
    /// Always empty.
    refs: EmptyBody,
}

/// The sets and seats of an event.
#[derive(Serialize, ToSchema)]
#[schema(as = SeatLayout)]
struct LayoutBody<'a> {
    /// The id of the event.
    event: EventRef,
    /// Another value for each other layout.
    #[schema(example = "9b6f0a4be1c2d3f4")]
    layout: &'a str,
    /// Its sets, by `pos`.
    sets: Vec<SetLayoutBody<'a>>,
}

/// A set and its seats.
#[derive(Serialize, ToSchema)]
#[schema(as = SetSeatLayout)]
struct SetLayoutBody<'a> {
    /// The id of the set.
    id: SetRef,
    /// The name of the set.
    #[schema(example = "Parterre")]
    name: &'a str,
    /// Where in the hall: for an event with a hall map, the id of a sector. `null` if that is not set.
    #[schema(example = "parterre")]
    sector: Option<&'a str>,
    /// Its rows, from the front on. Missing for a set without seats.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    rows: Option<Vec<RowLayoutBody<'a>>>,
}

/// A row of seats.
#[derive(Serialize, ToSchema)]
#[schema(as = SeatRowLayout)]
struct RowLayoutBody<'a> {
    /// The name of the row.
    #[schema(value_type = String, example = "1")]
    row: &'a str,
    /// The numbers of its seats: from the first to the last of each group of neighbours.
    #[schema(value_type = Vec<[u16; 2]>, example = json!([[1, 4]]))]
    seats: Vec<SeatRange>,
}

/// The sets and seats of an event.
#[derive(Serialize, ToSchema)]
#[schema(as = SeatLayoutAnswer)]
pub(super) struct LayoutResponse<'a> {
    /// Sets and seats.
    data: LayoutBody<'a>,
    /// Always empty.
    refs: EmptyBody,
}

impl<'a> AvailabilityBody<'a> {
    fn new(availability: &'a Availability) -> Self {
        let of_set = |set: &SetAvailability| SetAvailabilityBody {
            id: IdRef(set.set),
            left: set.left,
            on_sale: set.on_sale,
            free: set.free.as_ref().map(encoded),
        };
        Self {
            event: IdRef(availability.event),
            layout: &availability.layout.tag,
            on_sale: availability.on_sale,
            sets: availability.sets.iter().map(of_set).collect(),
        }
    }
}

impl<'a> AvailabilityResponse<'a> {
    pub(super) fn new(availability: &'a Availability) -> Self {
        Self { data: AvailabilityBody::new(availability), refs: EmptyBody {} }
    }
}

impl<'a> LayoutResponse<'a> {
    pub(super) fn new(availability: &'a Availability) -> Self {
        let layout = &availability.layout;
        let of_set = |set: &'a SetLayout| SetLayoutBody {
            id: IdRef(set.set),
            name: &set.name,
            sector: Some(set.sector.as_str()).filter(|sector| !sector.is_empty()),
            rows: set.seats.as_ref().map(rows_of),
        };
        let sets = layout.sets.iter().map(of_set).collect();
        let data = LayoutBody { event: IdRef(availability.event), layout: &layout.tag, sets };
        Self { data, refs: EmptyBody {} }
    }
}

/// The rows in their order.
fn rows_of(seats: &Seating) -> Vec<RowLayoutBody<'_>> {
    let mut rows: BTreeMap<&RowName, Vec<SeatRange>> = BTreeMap::new();
    for (row, range) in seats.ranges() {
        rows.entry(row).or_default().push(range);
    }
    rows.into_iter().map(|(row, seats)| RowLayoutBody { row: row.as_str(), seats }).collect()
}

fn encoded(seats: &SeatBits) -> String {
    BASE64_STANDARD.encode(seats.bytes())
}

/// What has changed of an event, in a stream.
#[derive(Serialize)]
struct AvailabilityChangeBody {
    on_sale: bool,
    sets: Vec<SetChangeBody>,
}

/// A set that has changed, in a stream: with the seats that have, or with all of them where that is shorter.
#[derive(Serialize)]
struct SetChangeBody {
    id: SetRef,
    left: i64,
    on_sale: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    free: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    taken: Vec<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    freed: Vec<usize>,
}

impl SetChangeBody {
    fn new(before: &SetAvailability, after: &SetAvailability) -> Self {
        let body = Self {
            id: IdRef(after.set),
            left: after.left,
            on_sale: after.on_sale,
            free: None,
            taken: Vec::new(),
            freed: Vec::new(),
        };
        let (Some(was), Some(is)) = (&before.free, &after.free) else { return body };
        let (taken, freed): (Vec<usize>, Vec<usize>) = (was.missing_in(is).collect(), is.missing_in(was).collect());
        let free = encoded(is);
        let digits: usize = taken.iter().chain(&freed).map(|place| place.to_string().len() + 1).sum();
        if digits > free.len() { Self { free: Some(free), ..body } } else { Self { taken, freed, ..body } }
    }
}

/// What a stream tells of an event, after what it told before: all of it, and what has changed if the seats are the same.
pub(super) fn write_frames(
    before: Option<&Availability>,
    after: &Availability,
) -> Result<AvailabilityFrames, serde_json::Error> {
    let all = serde_json::to_string(&AvailabilityBody::new(after))?;
    let id = entity_tags::Digest::of(all.as_bytes()).to_string();
    let snapshot = Bytes::from(event_text(&id, "availability", &all));
    let Some(before) = before.filter(|before| before.layout.tag == after.layout.tag) else {
        return Ok(AvailabilityFrames { change: snapshot.clone(), snapshot });
    };
    // The layout names the sets, in their order.
    let pairs = before.sets.iter().zip(&after.sets).filter(|(before, after)| before != after);
    let sets = pairs.map(|(before, after)| SetChangeBody::new(before, after)).collect();
    let change = serde_json::to_string(&AvailabilityChangeBody { on_sale: after.on_sale, sets })?;
    Ok(AvailabilityFrames { change: event_text(&id, "change", &change).into(), snapshot })
}
