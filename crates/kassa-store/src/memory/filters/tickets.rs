//! What passes the filters of queries/tickets.rs, and in which order.

use std::cmp::Ordering;

use crate::memory_tables::{FilterInMemory, MemoryTables};
use crate::queries::{SeatsFilter, TicketsFilter};
use kassa_domain::seating::RowName;
use kassa_domain::set::SetId;
use kassa_domain::ticket::{Ticket, TicketId, TicketState};

impl FilterInMemory<Ticket> for TicketsFilter {
    fn matches(&self, ticket: &Ticket, _: &MemoryTables) -> bool {
        ticket.event == self.event
            && ticket.number > self.after
            && matches_ticket_conditions(ticket, &self.sets, self.states, self.ids.as_deref())
    }

    fn compare(&self, one: &Ticket, other: &Ticket) -> Ordering {
        one.number.cmp(&other.number)
    }
}

impl FilterInMemory<Ticket> for SeatsFilter {
    fn matches(&self, ticket: &Ticket, _: &MemoryTables) -> bool {
        let behind = |(row, number): &(RowName, u16)| seat_position(ticket) > Some((row, *number));
        ticket.event == self.event
            && ticket.seat.as_ref().is_some_and(|seat| seat.sector == self.sector)
            && self.after.as_ref().is_none_or(behind)
            && matches_ticket_conditions(ticket, &self.sets, self.states, self.ids.as_deref())
    }

    fn compare(&self, one: &Ticket, other: &Ticket) -> Ordering {
        seat_position(one).cmp(&seat_position(other))
    }
}

fn seat_position(ticket: &Ticket) -> Option<(&RowName, u16)> {
    ticket.seat.as_ref().map(|seat| (&seat.row, seat.number))
}

fn matches_ticket_conditions(ticket: &Ticket, sets: &[SetId], states: [bool; 4], ids: Option<&[TicketId]>) -> bool {
    sets.contains(&ticket.set) && ids.is_none_or(|ids| ids.contains(&ticket.id)) && states[state_index(&ticket.state)]
}

fn state_index(state: &TicketState) -> usize {
    match state {
        TicketState::Vacant => 0,
        TicketState::Held { .. } => 1,
        TicketState::Sold { .. } => 2,
        TicketState::Blocked => 3,
    }
}
