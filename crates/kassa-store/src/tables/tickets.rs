//! Tickets. The lists of an event are read page by page: each page starts behind the last ticket of the one before.

use kassa_domain::event::EventId;
use kassa_domain::seat_row_inventory::SeatRowInventoryId;
use kassa_domain::seating::{RowName, Seat};
use kassa_domain::set::SetId;
use kassa_domain::ticket::{Ticket, TicketId, TicketState};
use kassa_domain::view::Condition;
use kassa_domain::{Id, ShardTag, Timestamp};

use crate::error::StoreError;
use crate::lists::{Comparison, Conditions, Filter, Predicate, SortKey, root_key};
#[cfg(feature = "test-drivers")]
use crate::memory_tables::MemoryTables;
use crate::rows::{read_tag, read_time_or_null, table};

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
    Indexed Int "state": state = source.int()?, row.state.number();
    Mutable Int "holder": holder = source.int_or_null()?.map(|key| Id::with_tag(tag, key)), row.holder().map(Id::key);
    Mutable Int "held_till": till = read_time_or_null(source)?, row.reserved_till().map(Timestamp::ms);
    Indexed Text "barcode": barcode = source.text_or_null()?, row.barcode();
    Mutable Int "refund": refund = source.int_or_null()?.map(|key| Id::with_tag(tag, key)), row.refund().map(Id::key);
} => Ticket {
    id: Id::with_tag(tag, key),
    event,
    set,
    number,
    seat: seat_of(sector, seat_row, seat_number, inventory.map(|key| Id::with_tag(tag, key)))?.map(Box::new),
    state: match (state, holder, till, barcode, refund) {
        (TicketState::VACANT, None, None, None, None) => TicketState::Vacant,
        (TicketState::HELD, Some(order), Some(till), None, None) => TicketState::Held { order, till },
        (TicketState::SOLD, Some(order), None, Some(barcode), refund) => TicketState::Sold { order, barcode, refund },
        (TicketState::BLOCKED, None, None, None, None) => TicketState::Blocked,
        (state, ..) => {
            let text = format!("ticket {key} in state {state} with other columns than it has");
            return Err(StoreError::Corrupt(text));
        }
    },
},
    unique unique_values(row)
}

/// In its event: its number, its barcode and its seat.
#[cfg(feature = "test-drivers")]
fn unique_values(ticket: &Ticket) -> Vec<String> {
    let mut values = vec![format!("{} number {}", ticket.event, ticket.number)];
    values.extend(ticket.barcode().map(|barcode| format!("{} barcode {barcode}", ticket.event)));
    values.extend(
        ticket
            .seat
            .as_deref()
            .map(|Seat { sector, row, number, .. }| format!("{} seat {number} {row:?} {sector:?}", ticket.event)),
    );
    values
}

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

/// Tickets of an event in the order of their numbers.
#[derive(Clone, Debug)]
pub struct TicketsFilter {
    /// Of which event.
    pub event: EventId,
    /// Only of these sets; removed ones are left out by the caller.
    pub sets: Vec<SetId>,
    /// Only in one of these states: vacant, held, sold, blocked.
    pub states: [bool; 4],
    /// Only these.
    pub ids: Option<Vec<TicketId>>,
    /// Only behind this number.
    pub after: i64,
    /// Whether they are few, as far as is known: then those in one state are found by that, and sorted, instead of
    /// among all tickets of the event.
    pub are_few: bool,
}

/// Tickets with seats in one sector of an event, in the order of their seats.
#[derive(Clone, Debug)]
pub struct SeatsFilter {
    /// Of which event.
    pub event: EventId,
    /// In which sector.
    pub sector: String,
    /// Only of these sets; removed ones are left out by the caller.
    pub sets: Vec<SetId>,
    /// Only in one of these states: vacant, held, sold, blocked.
    pub states: [bool; 4],
    /// Only these.
    pub ids: Option<Vec<TicketId>>,
    /// Only behind this seat.
    pub after: Option<(RowName, u16)>,
    /// As [`TicketsFilter::are_few`].
    pub are_few: bool,
}

impl Filter for TicketsFilter {
    type Row = Ticket;

    fn order(&self) -> &'static [SortKey] {
        &[SortKey::Ascending("number")]
    }

    fn walks_index(&self) -> bool {
        self.ids.is_none() && found_by_state(self.are_few, self.states).is_none()
    }

    fn shard_tag(&self) -> Option<ShardTag> {
        Some(self.event.tag())
    }

    fn conditions(&self, conditions: &mut Conditions) {
        if let Some(state) = found_by_state(self.are_few, self.states) {
            state.add_conditions(self.event, conditions);
            conditions.add(Predicate::sql("number + 0 > ?", [self.after.into()]));
        } else {
            conditions.add(Predicate::names("event", self.event));
            conditions.add(Predicate::compare("number", Comparison::Above, self.after));
        }
        add_ticket_conditions(conditions, &self.sets, self.states, self.ids.as_deref());
    }

    #[cfg(feature = "test-drivers")]
    fn matches(&self, ticket: &Ticket, _: &MemoryTables) -> bool {
        ticket.event == self.event && ticket.number > self.after
    }
}

impl Filter for SeatsFilter {
    type Row = Ticket;

    fn order(&self) -> &'static [SortKey] {
        &[SortKey::Ascending("row_order"), SortKey::Ascending("seat_number")]
    }

    fn walks_index(&self) -> bool {
        self.ids.is_none() && found_by_state(self.are_few, self.states).is_none()
    }

    fn shard_tag(&self) -> Option<ShardTag> {
        Some(self.event.tag())
    }

    fn conditions(&self, conditions: &mut Conditions) {
        if let Some(state) = found_by_state(self.are_few, self.states) {
            state.add_conditions(self.event, conditions);
            conditions.add(Predicate::sql("sector || '' = ?", [self.sector.clone().into()]));
            conditions.add(Condition::NotNull("seat_row"));
        } else {
            conditions.add(Predicate::names("event", self.event));
            conditions.add(Predicate::equal("sector", self.sector.clone()));
            conditions.add(Condition::NotNull("row_order"));
        }
        conditions.extend(self.after.as_ref().map(|(row, number)| {
            let values = vec![row.sort_key().to_owned().into(), i64::from(*number).into()];
            Predicate::After(&["row_order", "seat_number"], values)
        }));
        add_ticket_conditions(conditions, &self.sets, self.states, self.ids.as_deref());
    }

    #[cfg(feature = "test-drivers")]
    fn matches(&self, ticket: &Ticket, _: &MemoryTables) -> bool {
        ticket.event == self.event && ticket.seat.as_deref().is_some_and(|seat| seat.sector == self.sector)
    }
}

/// A state whose tickets have an index of their own. Those that are held have none: it would cost each sale two entries.
#[derive(Clone, Copy)]
enum IndexedState {
    /// By set.
    OfSets(i64),
    /// By event, with their barcodes.
    Sold,
}

/// The state by which tickets are found, where they are few and all in one.
fn found_by_state(are_few: bool, states: [bool; 4]) -> Option<IndexedState> {
    match states {
        _ if !are_few => None,
        [true, false, false, false] => Some(IndexedState::OfSets(TicketState::VACANT)),
        [false, false, true, false] => Some(IndexedState::Sold),
        [false, false, false, true] => Some(IndexedState::OfSets(TicketState::BLOCKED)),
        _ => None,
    }
}

impl IndexedState {
    /// The conditions of the index. Other columns are wrapped, so that no other index is taken for its order.
    fn add_conditions(self, event: EventId, conditions: &mut Conditions) {
        match self {
            Self::OfSets(state) => {
                conditions.add(Condition::Number("state", state));
                conditions.add(Predicate::sql("event + 0 = ?", [root_key(event).into()]));
            }
            Self::Sold => {
                conditions.add(Condition::NotNull("barcode"));
                conditions.add(Predicate::names("event", event));
                conditions.add(Predicate::compare("barcode", Comparison::Above, ""));
            }
        }
    }
}

fn add_ticket_conditions(conditions: &mut Conditions, sets: &[SetId], states: [bool; 4], ids: Option<&[TicketId]>) {
    conditions.add(Predicate::one_of("set_id", sets.iter().map(|set| set.key().into())));
    conditions.extend(ids.map(|ids| Predicate::one_of_tagged("id", ids)));
    if states != [true; 4] {
        let numbers = [TicketState::VACANT, TicketState::HELD, TicketState::SOLD, TicketState::BLOCKED];
        let wanted = numbers.into_iter().zip(states).filter(|(_, is_wanted)| *is_wanted);
        conditions.add(Predicate::one_of("state", wanted.map(|(number, _)| number.into())));
    }
}
