//! Events, sets and tickets.

use kassa_domain::event::{Event, EventStatus};
use kassa_domain::seating::{Seat, SeatingJson};
use kassa_domain::set::{PriceRule, SetSeats, TicketCounts, TicketSet};
use kassa_domain::ticket::{Ticket, TicketState};
use kassa_domain::{Id, ShardTag, Timestamp, Window};
use serde::{Deserialize, Serialize};

use super::system::{read_tag, read_time};
use super::{Column, MappedRow, RowKey as _, columns};
use crate::cell::{Cell, RowReader, json_cell};
use crate::error::StoreError;

pub(crate) fn event_status_text(status: EventStatus) -> &'static str {
    match status {
        EventStatus::StandBy => "stand_by",
        EventStatus::Public => "public",
        EventStatus::Canceled => "canceled",
    }
}

/// Labels as they are searched: each between two line breaks, which none of them has.
pub(crate) fn searchable_labels<T: AsRef<str>>(tags: impl IntoIterator<Item = T>) -> String {
    tags.into_iter().fold("\n".to_owned(), |list, tag| list + tag.as_ref() + "\n")
}

impl MappedRow for Event {
    const TABLE: &'static str = "events";
    const COLUMNS: &'static [Column] = columns![
        Key Int "id",
        Immutable Int "organizer",
        Mutable Text "status",
        Mutable Int "starts_at",
        Mutable Int "ends_at",
        Mutable Int "venue",
        Mutable Int "map",
        Mutable Int "removed",
        Mutable Json "about",
        Mutable Text "tag_list",
        Mutable Int "tickets_limit",
        Mutable Int "hold_minutes",
        Mutable Int "next_ticket",
        Immutable Int "created_at",
        Mutable Int "updated_at",
        Mutable Int "revision",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        self.id.write(out);
        out.extend([
            self.organizer.key().into(),
            event_status_text(self.status).into(),
            self.lifetime.map(|lifetime| lifetime.start.ms()).into(),
            self.ends_at().map(Timestamp::ms).into(),
            self.venue.map(Id::key).into(),
            self.hall_map.map(Id::key).into(),
            self.removed.into(),
            json_cell(&self.details),
            searchable_labels(&self.details.tags).into(),
            i64::from(self.tickets_limit).into(),
            i64::from(self.hold_minutes).into(),
            self.next_ticket_number.into(),
            self.created_at.ms().into(),
            self.updated_at.ms().into(),
            self.revision.into(),
        ]);
    }

    fn read(source: &mut dyn RowReader) -> Result<Self, StoreError> {
        let id = Id::root(source.int()?);
        let org = Id::root(source.int()?);
        let status = match source.text()?.as_str() {
            "stand_by" => EventStatus::StandBy,
            "public" => EventStatus::Public,
            "canceled" => EventStatus::Canceled,
            other => return Err(StoreError::Corrupt(format!("event status {other}"))),
        };
        let start = source.int_or_null()?.map(Timestamp::from_ms);
        let finish = source.int_or_null()?.map(Timestamp::from_ms);
        let venue = source.int_or_null()?.map(Id::root);
        let map = source.int_or_null()?.map(Id::root);
        let removed = source.flag()?;
        let about = source.json()?;
        let _tag_list = source.text()?;
        Ok(Self {
            id,
            organizer: org,
            status,
            lifetime: start.map(|start| Window { start, finish }),
            venue,
            hall_map: map,
            removed,
            details: about,
            tickets_limit: source.int_as()?,
            hold_minutes: source.int_as()?,
            next_ticket_number: source.int()?,
            created_at: read_time(source)?,
            updated_at: read_time(source)?,
            revision: source.int()?,
        })
    }
}

/// What of a set only people read.
#[derive(Serialize, Deserialize)]
struct StoredSetDescription {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    desc: Option<String>,
    serial: String,
    rules: Vec<PriceRule>,
}

impl MappedRow for TicketSet {
    const TABLE: &'static str = "sets";
    const COLUMNS: &'static [Column] = columns![
        Key Int "id",
        Tag Int "tag",
        Immutable Int "event",
        Mutable Json "about",
        Mutable Text "sector",
        Mutable Int "pos",
        Mutable Int "amount",
        Mutable Int "vacant",
        Mutable Int "held",
        Mutable Int "sold",
        Mutable Int "blocked",
        Mutable Int "pending",
        Mutable Int "pending_removal",
        Mutable Int "pick_cursor",
        Mutable Int "job",
        Mutable Int "removed",
        Immutable Int "created_at",
        Mutable Int "updated_at",
        Mutable Int "revision",
        Mutable Text "seat_layout",
        Mutable Text "existing_seat_layout",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        let about = StoredSetDescription {
            name: self.name.clone(),
            desc: self.desc.clone(),
            serial: self.serial.clone(),
            rules: self.rules.clone(),
        };
        let counts = &self.counts;
        self.id.write(out);
        out.extend([self.id.tag().to_i64().into(), self.event.key().into(), json_cell(&about)]);
        out.extend([self.sector.as_str().into(), self.pos.into()]);
        out.extend(
            [counts.amount, counts.vacant, counts.held, counts.sold, counts.blocked, counts.pending].map(Cell::from),
        );
        out.extend([self.pending_removal, self.pick_cursor].map(Cell::from));
        out.extend([self.job.map(Id::key).into(), self.removed.into()]);
        out.extend([self.created_at.ms(), self.updated_at.ms(), self.revision].map(Cell::from));
        let seats = self.seats.as_ref();
        out.push(seats.map(|seats| seats.layout.as_str()).into());
        out.push(seats.and_then(|seats| seats.created.as_ref()).map(SeatingJson::as_str).into());
    }

    fn read(source: &mut dyn RowReader) -> Result<Self, StoreError> {
        let key = source.int()?;
        let tag = read_tag(source)?;
        let event = Id::root(source.int()?);
        let about: StoredSetDescription = source.json()?;
        Ok(Self {
            id: Id::with_tag(tag, key),
            event,
            name: about.name,
            desc: about.desc,
            serial: about.serial,
            rules: about.rules,
            sector: source.text()?,
            pos: source.int()?,
            counts: TicketCounts {
                amount: source.int()?,
                vacant: source.int()?,
                held: source.int()?,
                sold: source.int()?,
                blocked: source.int()?,
                pending: source.int()?,
            },
            pending_removal: source.int()?,
            pick_cursor: source.int()?,
            job: source.int_or_null()?.map(|key| Id::with_tag(tag, key)),
            removed: source.flag()?,
            created_at: read_time(source)?,
            updated_at: read_time(source)?,
            revision: source.int()?,
            seats: read_seats(source)?,
        })
    }
}

fn read_seats(source: &mut dyn RowReader) -> Result<Option<SetSeats>, StoreError> {
    let (layout, made) = (source.text_or_null()?, source.text_or_null()?);
    let stored = |text: String| SeatingJson::from_json(&text);
    Ok(layout.map(|layout| SetSeats { layout: stored(layout), created: made.map(stored) }))
}

/// How a ticket's state is stored.
pub(crate) const STATE_VACANT: i64 = 0;
const STATE_HELD: i64 = 1;
const STATE_SOLD: i64 = 2;
pub(crate) const STATE_BLOCKED: i64 = 3;

impl MappedRow for Ticket {
    const TABLE: &'static str = "tickets";
    const COLUMNS: &'static [Column] = columns![
        Key Int "id",
        Tag Int "tag",
        Immutable Int "event",
        Immutable Int "set_id",
        Immutable Int "number",
        Immutable Text "sector",
        Immutable Text "seat_row",
        Immutable Text "row_order",
        Immutable Int "seat_number",
        Immutable Int "row_inventory",
        Mutable Int "state",
        Mutable Int "holder",
        Mutable Int "held_till",
        Mutable Text "barcode",
        Mutable Int "refund",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        let state = match self.state {
            TicketState::Vacant => STATE_VACANT,
            TicketState::Held { .. } => STATE_HELD,
            TicketState::Sold { .. } => STATE_SOLD,
            TicketState::Blocked => STATE_BLOCKED,
        };
        let seat = self.seat.as_deref();
        self.id.write(out);
        out.extend([
            self.id.tag().to_i64().into(),
            self.event.key().into(),
            self.set.key().into(),
            self.number.into(),
            seat.map_or("", |seat| seat.sector.as_str()).into(),
            seat.map(|seat| seat.row.as_str()).into(),
            seat.map(|seat| seat.row.sort_key()).into(),
            seat.map(|seat| i64::from(seat.number)).into(),
            seat.map(|seat| seat.row_inventory.key()).into(),
            state.into(),
            self.holder().map(Id::key).into(),
            self.reserved_till().map(Timestamp::ms).into(),
            self.barcode().into(),
            self.refund().map(Id::key).into(),
        ]);
    }

    fn read(source: &mut dyn RowReader) -> Result<Self, StoreError> {
        let key = source.int()?;
        let tag = read_tag(source)?;
        let event = Id::root(source.int()?);
        let set = Id::with_tag(tag, source.int()?);
        let number = source.int()?;
        let place = read_seat(tag, source)?.map(Box::new);
        let state = source.int()?;
        let holder = source.int_or_null()?.map(|key| Id::with_tag(tag, key));
        let till = source.int_or_null()?.map(Timestamp::from_ms);
        let barcode = source.text_or_null()?;
        let refund = source.int_or_null()?.map(|key| Id::with_tag(tag, key));
        let state = match (state, holder, till, barcode, refund) {
            (STATE_VACANT, None, None, None, None) => TicketState::Vacant,
            (STATE_HELD, Some(order), Some(till), None, None) => TicketState::Held { order, till },
            (STATE_SOLD, Some(order), None, Some(barcode), refund) => TicketState::Sold { order, barcode, refund },
            (STATE_BLOCKED, None, None, None, None) => TicketState::Blocked,
            (state, ..) => {
                return Err(StoreError::Corrupt(format!(
                    "ticket {key} in state {state} with other columns than it has"
                )));
            }
        };
        Ok(Self { id: Id::with_tag(tag, key), event, set, number, seat: place, state })
    }
}

fn read_seat(tag: ShardTag, source: &mut dyn RowReader) -> Result<Option<Seat>, StoreError> {
    let sector = source.text()?;
    let row = source.text_or_null()?;
    // The place of the row among rows follows from its name.
    source.next_cell()?;
    let number = source.int_or_null()?;
    let inventory = source.int_or_null()?.map(|key| Id::with_tag(tag, key));
    match (row, number, inventory) {
        (None, None, None) => Ok(None),
        (Some(row), Some(number), Some(inventory)) => {
            let bad = || StoreError::Corrupt(format!("seat {number} of row {row:?}"));
            let place = row.parse().ok().zip(u16::try_from(number).ok());
            place.map(|(row, number)| Some(Seat { sector, row, number, row_inventory: inventory })).ok_or_else(bad)
        }
        (row, number, inventory) => Err(StoreError::Corrupt(format!(
            "half a seat: row {row:?}, number {number:?}, row_inventory {inventory:?}"
        ))),
    }
}
