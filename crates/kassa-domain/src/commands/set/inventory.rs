//! The inventory of a set: how many of its tickets are in which state, and which of its seats are vacant. Tickets are
//! made, moved from state to state, and taken away here only, so that both always follow.

use crate::context::Context;
use crate::model::event::Event;
use crate::model::seat_row_inventory::SeatRowInventory;
use crate::model::set::TicketSet;
use crate::model::ticket::{Ticket, TicketState};
use crate::refusal::Refusal;
use crate::values::resource_ids::TicketId;
use crate::values::seating::Seat;
use crate::view::View;

impl TicketSet {
    /// Moves one of its tickets to another state. The caller stores the set.
    pub(crate) fn transition(&mut self, mut ticket: Ticket, to: TicketState, view: &mut View) -> Result<(), Refusal> {
        *self.counts.counter_of(&ticket.state) -= 1;
        *self.counts.counter_of(&to) += 1;
        let (was_vacant, is_vacant) = (ticket.state == TicketState::Vacant, to == TicketState::Vacant);
        if was_vacant && !is_vacant {
            update_row_inventory(&ticket, view, |inventory, number| inventory.vacant.remove(number))?;
        } else if is_vacant && !was_vacant {
            update_row_inventory(&ticket, view, |inventory, number| inventory.vacant.insert(number))?;
        }
        ticket.state = to;
        view.tickets.put(ticket);
        Ok(())
    }

    /// Puts in one of the tickets that were pending; it is vacant. The caller stores the set.
    pub(super) fn add_ticket(&mut self, ticket: Ticket, view: &mut View) -> Result<(), Refusal> {
        self.counts.pending -= 1;
        self.counts.vacant += 1;
        update_row_inventory(&ticket, view, |inventory, number| {
            inventory.seats += 1;
            inventory.vacant.insert(number);
        })?;
        view.tickets.put(ticket);
        Ok(())
    }

    /// Takes one of its tickets away for good. The caller stores the set.
    pub(super) fn remove_ticket(&mut self, id: TicketId, view: &mut View) -> Result<(), Refusal> {
        let ticket = view.tickets.get(id).ok_or(Refusal::Stale)?.clone();
        *self.counts.counter_of(&ticket.state) -= 1;
        self.counts.amount -= 1;
        update_row_inventory(&ticket, view, |inventory, number| {
            inventory.seats -= 1;
            inventory.vacant.remove(number);
        })?;
        view.tickets.remove(id);
        Ok(())
    }

    /// Makes one of the tickets that are pending.
    pub(super) fn create_ticket(
        &mut self,
        seat: Option<Box<Seat>>,
        event: &mut Event,
        cx: &mut Context<'_>,
        view: &mut View,
    ) -> Result<(), Refusal> {
        let ticket = Ticket {
            id: cx.id_with_tag(event.id.tag()),
            event: event.id,
            set: self.id,
            number: event.next_ticket_number,
            seat,
            state: TicketState::Vacant,
        };
        event.next_ticket_number += 1;
        self.add_ticket(ticket, view)
    }
}

impl View {
    /// Moves a ticket to another state, and the counters of its set with it.
    pub(crate) fn transition_ticket(&mut self, id: TicketId, to: TicketState) -> Result<(), Refusal> {
        let ticket = self.tickets.get(id).ok_or(Refusal::Stale)?.clone();
        let mut set = self.sets.get(ticket.set).ok_or(Refusal::Stale)?.clone();
        set.transition(ticket, to, self)?;
        self.sets.put(set);
        Ok(())
    }
}

/// Changes the row inventory of a ticket that has a seat. The row inventory goes with its last seat.
fn update_row_inventory(
    ticket: &Ticket,
    view: &mut View,
    change: impl FnOnce(&mut SeatRowInventory, u16),
) -> Result<(), Refusal> {
    let Some(seat) = &ticket.seat else { return Ok(()) };
    let mut inventory = view.seat_row_inventories.get(seat.row_inventory).ok_or(Refusal::Stale)?.clone();
    change(&mut inventory, seat.number);
    if inventory.seats == 0 {
        view.seat_row_inventories.remove(inventory.id);
    } else {
        view.seat_row_inventories.put(inventory);
    }
    Ok(())
}
