//! Seats that nobody named: what of the row inventories is in the view, and what a decision still needs.

use rustc_hash::{FxHashMap, FxHashSet};

use super::seat_choice::{SeatChoice, SeatRef, are_adjacent, choose_seats};
use super::{VacancyRequest, View};
use crate::model::set::{SeatSelector, TicketSet};
use crate::model::ticket::{Ticket, TicketState};
use crate::values::resource_ids::{SeatRowInventoryId, SetId, TicketId};
use crate::values::seat_numbers::SeatNumbers;

/// What is known of the seats that picks may give.
#[derive(Default)]
pub(super) struct SeatPicking {
    /// Requests of which sizes the row inventories in the view are enough for.
    offered: FxHashSet<(SetId, u32)>,
    /// Seats that were chosen although their tickets are not in the view: they are not chosen again.
    assigned: FxHashMap<SeatRowInventoryId, SeatNumbers>,
}

/// Seats that were picked.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct PickedTickets {
    /// Their tickets.
    pub tickets: Vec<TicketId>,
    /// Whether they and those that the order held before sit side by side.
    pub adjacent: bool,
}

impl View {
    /// For drivers: the row inventories in the view are enough for a request of so many seats of a set: the best that
    /// have as many neighbours, and where those are all, the ones with the longest runs. More of them than
    /// the batch has seats to take.
    pub fn offer_row_inventories(&mut self, set: SetId, count: u32) {
        self.seat_picking.offered.insert((set, count));
    }

    /// Up to `count` seats of a set that are vacant now, for an order that holds some of them. `None` if
    /// rows are missing: these are noted for [`View::take_missing`].
    pub fn pick_seats(&mut self, set: &TicketSet, count: usize, held: &[TicketId]) -> Option<PickedTickets> {
        let Some(count) = u32::try_from(count).ok().filter(|count| *count > 0) else {
            return Some(PickedTickets::default());
        };
        let held = held.iter().filter_map(|id| self.tickets.get(*id));
        let mut seats: Vec<SeatRef> = held.filter_map(seat_ref).collect();
        let choice = choose_seats(set, count, &seats, self);
        if !choice.adjoins_held && !self.seat_picking.offered.contains(&(set.id, count)) {
            self.missing.vacant.push((set.id, count));
            return None;
        }
        let here = self.vacant_seats(&choice);
        let tickets: Option<Vec<TicketId>> = choice.seats().map(|seat| here.get(&seat).copied()).collect();
        let Some(tickets) = tickets else {
            let missing = self.assign_seats(set, &choice, &here);
            self.missing.seats.extend(missing);
            return None;
        };
        seats.extend(choice.seats());
        Some(PickedTickets { tickets, adjacent: are_adjacent(&seats) })
    }

    /// For drivers: the seats that the requests of a batch will be given, as far as is known before they
    /// are decided. Their tickets are to be loaded.
    pub fn predict_seats(&mut self, request: &VacancyRequest) -> Vec<SeatSelector> {
        let Some(set) = self.sets.get(request.set).cloned() else { return Vec::new() };
        let mut foreseen = Vec::new();
        for count in request.expected_grants(&set) {
            let choice = choose_seats(&set, count, &[], self);
            let here = self.vacant_seats(&choice);
            foreseen.extend(self.assign_seats(&set, &choice, &here));
        }
        self.seat_picking.assigned.clear();
        foreseen
    }

    pub(crate) fn assigned_seats(&self, inventory: SeatRowInventoryId) -> Option<&SeatNumbers> {
        self.seat_picking.assigned.get(&inventory)
    }

    /// The vacant tickets in the view on the row inventories of a choice, by seat.
    fn vacant_seats(&self, choice: &SeatChoice) -> FxHashMap<SeatRef, TicketId> {
        let inventories: FxHashSet<SeatRowInventoryId> = choice.runs.iter().map(|piece| piece.inventory).collect();
        let vacant = self.tickets.rows().filter(|ticket| ticket.state == TicketState::Vacant);
        let seats = vacant.filter_map(|ticket| Some((seat_ref(ticket)?, ticket.id)));
        seats.filter(|((inventory, _), _)| inventories.contains(inventory)).collect()
    }

    /// Chooses these seats for nobody else; names those of which the tickets are not here.
    fn assign_seats(
        &mut self,
        set: &TicketSet,
        choice: &SeatChoice,
        here: &FxHashMap<SeatRef, TicketId>,
    ) -> Vec<SeatSelector> {
        let mut missing = Vec::new();
        for piece in &choice.runs {
            let seats = piece.seats.from..=piece.seats.to;
            self.seat_picking.assigned.entry(piece.inventory).or_default().insert_all(seats.clone());
            let all_here = seats.clone().all(|number| here.contains_key(&(piece.inventory, number)));
            if let Some(inventory) = self.seat_row_inventories.get(piece.inventory).filter(|_| !all_here) {
                let (row, sector, span) = (inventory.row.clone(), set.sector.clone(), piece.seats);
                missing.push(SeatSelector { set: set.id, event: set.event, sector, row, range: span });
            }
        }
        missing
    }
}

fn seat_ref(ticket: &Ticket) -> Option<SeatRef> {
    ticket.seat.as_deref().map(|seat| (seat.row_inventory, seat.number))
}

/// For drivers: the row inventories of the seats that have tickets in the view and are not there themselves, by id.
/// Where a ticket is, its row inventory must be: they change together.
pub fn row_inventories_to_load(view: &View) -> Vec<SeatRowInventoryId> {
    let of_tickets = view.tickets.rows().filter_map(|ticket| ticket.seat.as_deref().map(|seat| seat.row_inventory));
    let missing: FxHashSet<SeatRowInventoryId> =
        of_tickets.filter(|inventory| view.seat_row_inventories.get(*inventory).is_none()).collect();
    let mut missing: Vec<SeatRowInventoryId> = missing.into_iter().collect();
    missing.sort_unstable();
    missing
}
