//! Sets, their tickets and row inventories.

use kassa_domain::event::EventId;
use kassa_domain::seat_row_inventory::{SeatRowInventory, UNRANKED_ROW};
use kassa_domain::seating::{Seat, SeatingJson};
use kassa_domain::set::{PriceRule, SetSeats, TicketCounts, TicketSet};
use kassa_domain::ticket::{Ticket, TicketState};
use kassa_domain::{Money, Window};

use super::{at, id_in_event};

/// An empty set.
pub(crate) fn set(event: EventId, key: i64) -> TicketSet {
    TicketSet {
        id: id_in_event(event, key),
        event,
        name: format!("Set {key}"),
        desc: None,
        sector: String::new(),
        pos: 0,
        serial: "ABC".to_owned(),
        rules: Vec::new(),
        counts: TicketCounts::default(),
        pending_removal: 0,
        seats: None,
        pick_cursor: 0,
        job: None,
        removed: false,
        created_at: at(key),
        updated_at: at(key),
        revision: 1,
    }
}

pub(crate) fn full_set(event: EventId, key: i64) -> TicketSet {
    let rule = |key, start, finish| PriceRule {
        id: id_in_event(event, key),
        window: Window { start: at(start), finish },
        ends_with_event: finish.is_none(),
        price: Money::from_minor(Money::PRICE_MAX.minor() - key),
        has_sold: key % 2 == 0,
    };
    TicketSet {
        desc: Some("near the stage".to_owned()),
        sector: "Партер".to_owned(),
        pos: -3,
        rules: vec![rule(51, 0, Some(at(5_000))), rule(52, 5_000, None)],
        counts: TicketCounts { amount: 15, vacant: 1, held: 2, sold: 3, blocked: 4, pending: 5 },
        pending_removal: 5,
        pick_cursor: i64::MAX,
        job: Some(id_in_event(event, 77)),
        removed: true,
        ..set(event, key)
    }
}

/// A vacant ticket whose number is its key.
pub(crate) fn ticket(set: &TicketSet, key: i64) -> Ticket {
    Ticket {
        id: id_in_event(set.event, key),
        event: set.event,
        set: set.id,
        number: key,
        seat: None,
        state: TicketState::Vacant,
    }
}

/// A set of seats that a job is working on.
pub(crate) fn seated_set(event: EventId, key: i64) -> TicketSet {
    let layout = SeatingJson::from_json(r#"{"1":[[1,9]],"Ж \"2\"":[[1,1],[3,9999]]}"#);
    let seats = Some(SetSeats { layout, created: Some(SeatingJson::from_json("{}")) });
    TicketSet { sector: "L".to_owned(), seats, ..set(event, key) }
}

/// A vacant ticket for a chair.
pub(crate) fn seated_ticket(set: &TicketSet, key: i64, row: &str, number: u16) -> Ticket {
    let bench = id_in_event(set.event, set.id.key() + 9_000);
    let place = Seat { sector: set.sector.clone(), row: row.parse().unwrap(), number, row_inventory: bench };
    Ticket { seat: Some(Box::new(place)), ..ticket(set, key) }
}

/// The bench of a set in a row, with these vacant chairs and no others.
pub(crate) fn seat_row_inventory(set: &TicketSet, key: i64, row: &str, vacant: &[u16]) -> SeatRowInventory {
    let (row, chairs, vacant) = (row.parse().unwrap(), u32::try_from(vacant.len()).unwrap(), vacant.iter().copied());
    SeatRowInventory {
        id: id_in_event(set.event, key),
        set: set.id,
        row,
        rank: UNRANKED_ROW,
        seats: chairs,
        vacant: vacant.collect(),
    }
}

/// Four tickets from `key` on: vacant, held and sold by `order`, and blocked.
pub(crate) fn one_of_each_state(set: &TicketSet, key: i64, order: i64) -> [Ticket; 4] {
    let order = id_in_event(set.event, order);
    let states = [
        TicketState::Vacant,
        TicketState::Held { order, till: at(60_000) },
        TicketState::Sold { order, barcode: format!("{key:016}"), refund: None },
        TicketState::Blocked,
    ];
    let mut next = key..;
    states.map(|state| Ticket { state, ..ticket(set, next.next().unwrap()) })
}
