//! What a set with seats knows of them.

use super::TicketSet;
use crate::model::ticket::Ticket;
use crate::values::resource_ids::{EventId, SetId};
use crate::values::seating::{RowName, SeatRange, Seating, SeatingJson};

/// What a set with seats knows of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetSeats {
    /// The seats that it shall have, as the organizer wrote them.
    pub layout: SeatingJson,
    /// The seats that have tickets, while a job makes them those of the layout.
    pub created: Option<SeatingJson>,
}

impl SetSeats {
    /// The seats that the set shall have.
    pub fn target_seating(&self) -> Seating {
        self.layout.seating()
    }

    /// The seats that have tickets.
    pub fn created_seating(&self) -> Seating {
        self.created.as_ref().unwrap_or(&self.layout).seating()
    }
}

/// Neighbouring seats of a set, by name: says which tickets to load.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SeatSelector {
    /// The set.
    pub set: SetId,
    /// Its event.
    pub event: EventId,
    /// Its sector.
    pub sector: String,
    /// The row.
    pub row: RowName,
    /// The numbers in the row.
    pub range: SeatRange,
}

impl TicketSet {
    /// A filter for those of its tickets that stay: not those whose seats a job is taking away.
    pub fn retained_filter(&self) -> impl Fn(&Ticket) -> bool + use<> {
        let wanted = self.seats.as_ref().filter(|_| self.pending_removal > 0).map(SetSeats::target_seating);
        move |ticket| match (&wanted, &ticket.seat) {
            (Some(wanted), Some(seat)) => wanted.contains(&seat.row, seat.number),
            (None, _) | (_, None) => true,
        }
    }
}
