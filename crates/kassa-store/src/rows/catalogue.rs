//! Events, sets and tickets.

use kassa_domain::event::{Event, EventStatus};
use kassa_domain::seat_row_inventory::SeatRowInventoryId;
use kassa_domain::seating::{Seat, SeatingJson};
use kassa_domain::set::{PriceRule, SetSeats, TicketCounts, TicketSet};
use kassa_domain::ticket::{Ticket, TicketState};
use kassa_domain::{Id, Timestamp, Window};
use serde::{Deserialize, Serialize};

use super::system::{read_tag, read_time, read_time_or_null};
use super::table;
use crate::cell::{RowReader, json_cell};
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

table! { Event, "events", |row, source| {
    Key Int "id": id = Id::root(source.int()?), row.id.key();
    Immutable Int "organizer": organizer = Id::root(source.int()?), row.organizer.key();
    Mutable Text "status": status = read_event_status(&source.text()?)?, event_status_text(row.status);
    Mutable Int "starts_at": start = read_time_or_null(source)?, row.lifetime.map(|lifetime| lifetime.start.ms());
    Mutable Int "ends_at": finish = read_time_or_null(source)?, row.ends_at().map(Timestamp::ms);
    Mutable Int "venue": venue = source.int_or_null()?.map(Id::root), row.venue.map(Id::key);
    Mutable Int "map": hall_map = source.int_or_null()?.map(Id::root), row.hall_map.map(Id::key);
    Mutable Int "removed": removed = source.flag()?, row.removed;
    Mutable Json "about": details = source.json()?, json_cell(&row.details);
    Mutable Text "tag_list": _tag_list = source.text()?, searchable_labels(&row.details.tags);
    Mutable Int "tickets_limit": tickets_limit = source.int_as()?, i64::from(row.tickets_limit);
    Mutable Int "hold_minutes": hold_minutes = source.int_as()?, i64::from(row.hold_minutes);
    Mutable Int "next_ticket": next_ticket_number = source.int()?, row.next_ticket_number;
    Immutable Int "created_at": created_at = read_time(source)?, row.created_at.ms();
    Mutable Int "updated_at": updated_at = read_time(source)?, row.updated_at.ms();
    Mutable Int "revision": revision = source.int()?, row.revision;
} => Event {
    id,
    organizer,
    status,
    lifetime: start.map(|start| Window { start, finish }),
    venue,
    hall_map,
    removed,
    details,
    tickets_limit,
    hold_minutes,
    next_ticket_number,
    created_at,
    updated_at,
    revision,
} }

fn read_event_status(text: &str) -> Result<EventStatus, StoreError> {
    match text {
        "stand_by" => Ok(EventStatus::StandBy),
        "public" => Ok(EventStatus::Public),
        "canceled" => Ok(EventStatus::Canceled),
        other => Err(StoreError::Corrupt(format!("event status {other}"))),
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

fn stored_set_description(set: &TicketSet) -> StoredSetDescription {
    StoredSetDescription {
        name: set.name.clone(),
        desc: set.desc.clone(),
        serial: set.serial.clone(),
        rules: set.rules.clone(),
    }
}

table! { TicketSet, "sets", |row, source| {
    Key Int "id": key = source.int()?, row.id.key();
    Tag Int "tag": tag = read_tag(source)?, row.id.tag().to_i64();
    Immutable Int "event": event = Id::root(source.int()?), row.event.key();
    Mutable Json "about": about = source.json::<StoredSetDescription>()?, json_cell(&stored_set_description(row));
    Mutable Text "sector": sector = source.text()?, row.sector.as_str();
    Mutable Int "pos": pos = source.int()?, row.pos;
    Mutable Int "amount": amount = source.int()?, row.counts.amount;
    Mutable Int "vacant": vacant = source.int()?, row.counts.vacant;
    Mutable Int "held": held = source.int()?, row.counts.held;
    Mutable Int "sold": sold = source.int()?, row.counts.sold;
    Mutable Int "blocked": blocked = source.int()?, row.counts.blocked;
    Mutable Int "pending": pending = source.int()?, row.counts.pending;
    Mutable Int "pending_removal": pending_removal = source.int()?, row.pending_removal;
    Mutable Int "pick_cursor": pick_cursor = source.int()?, row.pick_cursor;
    Mutable Int "job": job = source.int_or_null()?.map(|key| Id::with_tag(tag, key)), row.job.map(Id::key);
    Mutable Int "removed": removed = source.flag()?, row.removed;
    Immutable Int "created_at": created_at = read_time(source)?, row.created_at.ms();
    Mutable Int "updated_at": updated_at = read_time(source)?, row.updated_at.ms();
    Mutable Int "revision": revision = source.int()?, row.revision;
    Mutable Text "seat_layout": layout = read_seating(source)?, row.seats.as_ref().map(|seats| seats.layout.as_str());
    Mutable Text "existing_seat_layout": created = read_seating(source)?, existing_seats(row).map(SeatingJson::as_str);
} => TicketSet {
    id: Id::with_tag(tag, key),
    event,
    name: about.name,
    desc: about.desc,
    serial: about.serial,
    rules: about.rules,
    sector,
    pos,
    counts: TicketCounts { amount, vacant, held, sold, blocked, pending },
    pending_removal,
    pick_cursor,
    job,
    removed,
    created_at,
    updated_at,
    revision,
    seats: layout.map(|layout| SetSeats { layout, created }),
} }

fn read_seating(source: &mut dyn RowReader) -> Result<Option<SeatingJson>, StoreError> {
    Ok(source.text_or_null()?.map(|text| SeatingJson::from_json(&text)))
}

fn existing_seats(set: &TicketSet) -> Option<&SeatingJson> {
    set.seats.as_ref()?.created.as_ref()
}

/// How a ticket's state is stored.
const STATE_VACANT: i64 = 0;
const STATE_HELD: i64 = 1;
const STATE_SOLD: i64 = 2;
pub(crate) const STATE_BLOCKED: i64 = 3;

fn state_number(state: &TicketState) -> i64 {
    match state {
        TicketState::Vacant => STATE_VACANT,
        TicketState::Held { .. } => STATE_HELD,
        TicketState::Sold { .. } => STATE_SOLD,
        TicketState::Blocked => STATE_BLOCKED,
    }
}

table! { Ticket, "tickets", |row, source| {
    Key Int "id": key = source.int()?, row.id.key();
    Tag Int "tag": tag = read_tag(source)?, row.id.tag().to_i64();
    Immutable Int "event": event = Id::root(source.int()?), row.event.key();
    Immutable Int "set_id": set = Id::with_tag(tag, source.int()?), row.set.key();
    Immutable Int "number": number = source.int()?, row.number;
    Immutable Text "sector": sector = source.text()?, row.seat.as_ref().map_or("", |seat| seat.sector.as_str());
    Immutable Text "seat_row": seat_row = source.text_or_null()?, row.seat.as_ref().map(|seat| seat.row.as_str());
    Immutable Text "row_order": _order = source.derived()?, row.seat.as_ref().map(|seat| seat.row.sort_key());
    Immutable Int "seat_number": seat_number = source.int_or_null()?, row.seat.as_ref().map(|s| i64::from(s.number));
    Immutable Int "row_inventory": inventory = source.int_or_null()?, row.seat.as_ref().map(|s| s.row_inventory.key());
    Mutable Int "state": state = source.int()?, state_number(&row.state);
    Mutable Int "holder": holder = source.int_or_null()?.map(|key| Id::with_tag(tag, key)), row.holder().map(Id::key);
    Mutable Int "held_till": till = read_time_or_null(source)?, row.reserved_till().map(Timestamp::ms);
    Mutable Text "barcode": barcode = source.text_or_null()?, row.barcode();
    Mutable Int "refund": refund = source.int_or_null()?.map(|key| Id::with_tag(tag, key)), row.refund().map(Id::key);
} => Ticket {
    id: Id::with_tag(tag, key),
    event,
    set,
    number,
    seat: seat_of(sector, seat_row, seat_number, inventory.map(|key| Id::with_tag(tag, key)))?.map(Box::new),
    state: match (state, holder, till, barcode, refund) {
        (STATE_VACANT, None, None, None, None) => TicketState::Vacant,
        (STATE_HELD, Some(order), Some(till), None, None) => TicketState::Held { order, till },
        (STATE_SOLD, Some(order), None, Some(barcode), refund) => TicketState::Sold { order, barcode, refund },
        (STATE_BLOCKED, None, None, None, None) => TicketState::Blocked,
        (state, ..) => {
            let text = format!("ticket {key} in state {state} with other columns than it has");
            return Err(StoreError::Corrupt(text));
        }
    },
} }

fn seat_of(
    sector: String,
    row: Option<String>,
    number: Option<i64>,
    inventory: Option<SeatRowInventoryId>,
) -> Result<Option<Seat>, StoreError> {
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
