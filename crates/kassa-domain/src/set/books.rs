//! The books of a set: how many of its tickets are where, and which of its chairs are vacant. Tickets are
//! made, moved from state to state, and taken away here only, so that both always follow.

use super::{Counts, Set};
use crate::bench::Bench;
use crate::refusal::Refusal;
use crate::ticket::{Ticket, TicketId, TicketState};
use crate::view::View;

impl Counts {
    /// The counter of the tickets in a state.
    pub(crate) fn of(&mut self, state: &TicketState) -> &mut i64 {
        match state {
            TicketState::Vacant => &mut self.vacant,
            TicketState::Held { .. } => &mut self.held,
            TicketState::Sold { .. } => &mut self.sold,
            TicketState::Blocked => &mut self.blocked,
        }
    }
}

impl Set {
    /// Moves one of its tickets to another state. The caller stores the set.
    pub(crate) fn turn(&mut self, mut ticket: Ticket, to: TicketState, view: &mut View) -> Result<(), Refusal> {
        *self.counts.of(&ticket.state) -= 1;
        *self.counts.of(&to) += 1;
        let (was_vacant, is_vacant) = (ticket.state == TicketState::Vacant, to == TicketState::Vacant);
        if was_vacant && !is_vacant {
            on_bench(&ticket, view, |bench, number| bench.vacant.remove(number))?;
        } else if is_vacant && !was_vacant {
            on_bench(&ticket, view, |bench, number| bench.vacant.insert(number))?;
        }
        ticket.state = to;
        view.tickets.put(ticket);
        Ok(())
    }

    /// Puts in one of the tickets that were pending; it is vacant. The caller stores the set.
    pub(super) fn put_in(&mut self, ticket: Ticket, view: &mut View) -> Result<(), Refusal> {
        self.counts.pending -= 1;
        self.counts.vacant += 1;
        on_bench(&ticket, view, |bench, number| {
            bench.chairs += 1;
            bench.vacant.insert(number);
        })?;
        view.tickets.put(ticket);
        Ok(())
    }

    /// Takes one of its tickets away for good. The caller stores the set.
    pub(super) fn take_out(&mut self, id: TicketId, view: &mut View) -> Result<(), Refusal> {
        let ticket = view.tickets.get(id).ok_or(Refusal::Stale)?.clone();
        *self.counts.of(&ticket.state) -= 1;
        self.counts.amount -= 1;
        on_bench(&ticket, view, |bench, number| {
            bench.chairs -= 1;
            bench.vacant.remove(number);
        })?;
        view.tickets.remove(id);
        Ok(())
    }
}

impl View {
    /// Moves a ticket to another state, and the books of its set along.
    pub(crate) fn turn_ticket(&mut self, id: TicketId, to: TicketState) -> Result<(), Refusal> {
        let ticket = self.tickets.get(id).ok_or(Refusal::Stale)?.clone();
        let mut set = self.sets.get(ticket.set).ok_or(Refusal::Stale)?.clone();
        set.turn(ticket, to, self)?;
        self.sets.put(set);
        Ok(())
    }
}

/// Changes the bench of a ticket that has a seat. The bench goes with its last chair.
fn on_bench(ticket: &Ticket, view: &mut View, change: impl FnOnce(&mut Bench, u16)) -> Result<(), Refusal> {
    let Some(seat) = &ticket.seat else { return Ok(()) };
    let mut bench = view.benches.get(seat.bench).ok_or(Refusal::Stale)?.clone();
    change(&mut bench, seat.number);
    if bench.chairs == 0 {
        view.benches.remove(bench.id);
    } else {
        view.benches.put(bench);
    }
    Ok(())
}
