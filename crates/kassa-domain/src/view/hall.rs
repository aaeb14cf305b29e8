//! Seats that nobody named: what of the benches is in the view, and what a decision still needs.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{View, Wishes};
use crate::bench::{BenchId, Chair, Choice, Numbers, are_neighbours, choose};
use crate::set::{Chairs, Set, SetId};
use crate::ticket::{Ticket, TicketId, TicketState};

/// What is known of the seats that picks may give.
#[derive(Default)]
pub(super) struct Hall {
    /// Wishes of which sizes the benches in the view are enough for.
    offered: FxHashSet<(SetId, u32)>,
    /// Seats that were chosen although their tickets are not in the view: they are not chosen again.
    promised: FxHashMap<BenchId, Numbers>,
    missing: Missing,
}

/// Rows that decisions turned out to need. With them in the view, they decide again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Missing {
    /// Tickets of a set by their chairs.
    pub chairs: Vec<Chairs>,
    /// Benches for so many neighbours in a set.
    pub vacant: Vec<(SetId, u32)>,
}

/// Seats that were picked.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Picked {
    /// Their tickets.
    pub tickets: Vec<TicketId>,
    /// Whether they and those that the order held before sit side by side.
    pub together: bool,
}

impl View {
    /// Tells that the benches in the view are enough for a wish for so many seats of a set: the best that
    /// have as many neighbours, and where those are all, the ones with the longest runs. More of them than
    /// the batch has seats to take.
    pub fn offer_benches(&mut self, set: SetId, count: u32) {
        self.hall.offered.insert((set, count));
    }

    /// Up to `count` seats of a set that are vacant now, for an order that holds some of them. `None` if
    /// rows are missing: these are noted for [`View::take_missing`].
    pub fn pick_seats(&mut self, set: &Set, count: usize, held: &[TicketId]) -> Option<Picked> {
        let Some(count) = u32::try_from(count).ok().filter(|count| *count > 0) else { return Some(Picked::default()) };
        let chair_of = |id: &TicketId| self.tickets.get(*id).and_then(chair);
        let mut chairs: Vec<Chair> = held.iter().filter_map(chair_of).collect();
        let choice = choose(set, count, &chairs, self);
        if !choice.beside && !self.hall.offered.contains(&(set.id, count)) {
            self.hall.missing.vacant.push((set.id, count));
            return None;
        }
        let here = self.vacant_chairs(&choice);
        let tickets: Option<Vec<TicketId>> = choice.chairs().map(|chair| here.get(&chair).copied()).collect();
        let Some(tickets) = tickets else {
            let missing = self.promise(set, &choice, &here);
            self.hall.missing.chairs.extend(missing);
            return None;
        };
        chairs.extend(choice.chairs());
        Some(Picked { tickets, together: are_neighbours(&chairs) })
    }

    /// For drivers: the chairs that the wishes of a batch will be given, as far as one can tell before they
    /// are decided. Their tickets are to be loaded.
    pub fn foresee(&mut self, wishes: &Wishes) -> Vec<Chairs> {
        let Some(set) = self.sets.get(wishes.set).cloned() else { return Vec::new() };
        let mut foreseen = Vec::new();
        for count in wishes.granted(&set) {
            let choice = choose(&set, count, &[], self);
            let here = self.vacant_chairs(&choice);
            foreseen.extend(self.promise(&set, &choice, &here));
        }
        self.hall.promised.clear();
        foreseen
    }

    /// What decisions needed and did not find, if anything.
    pub fn take_missing(&mut self) -> Option<Missing> {
        let missing = std::mem::take(&mut self.hall.missing);
        (missing != Missing::default()).then_some(missing)
    }

    pub(crate) fn promised(&self, bench: BenchId) -> Option<&Numbers> {
        self.hall.promised.get(&bench)
    }

    /// The vacant tickets in the view on the benches of a choice, by chair.
    fn vacant_chairs(&self, choice: &Choice) -> FxHashMap<Chair, TicketId> {
        let benches: FxHashSet<BenchId> = choice.pieces.iter().map(|piece| piece.bench).collect();
        let vacant = self.tickets.rows().filter(|ticket| ticket.state == TicketState::Vacant);
        let chairs = vacant.filter_map(|ticket| Some((chair(ticket)?, ticket.id)));
        chairs.filter(|((bench, _), _)| benches.contains(bench)).collect()
    }

    /// Chooses these seats for nobody else; names those of which the tickets are not here.
    fn promise(&mut self, set: &Set, choice: &Choice, here: &FxHashMap<Chair, TicketId>) -> Vec<Chairs> {
        let mut missing = Vec::new();
        for piece in &choice.pieces {
            let seats = piece.seats.from..=piece.seats.to;
            self.hall.promised.entry(piece.bench).or_default().extend(seats.clone());
            let all_here = seats.clone().all(|number| here.contains_key(&(piece.bench, number)));
            if let Some(bench) = self.benches.get(piece.bench).filter(|_| !all_here) {
                let (row, sector, span) = (bench.row.clone(), set.sector.clone(), piece.seats);
                missing.push(Chairs { set: set.id, event: set.event, sector, row, span });
            }
        }
        missing
    }
}

fn chair(ticket: &Ticket) -> Option<Chair> {
    ticket.seat.as_deref().map(|seat| (seat.bench, seat.number))
}

/// For drivers: the benches of the seats that have tickets in the view and are not there themselves, by id.
/// Where a ticket is, its bench must be: they change together.
pub fn benches_to_load(view: &View) -> Vec<BenchId> {
    let of_tickets = view.tickets.rows().filter_map(|ticket| ticket.seat.as_deref().map(|seat| seat.bench));
    let missing: FxHashSet<BenchId> = of_tickets.filter(|bench| view.benches.get(*bench).is_none()).collect();
    let mut missing: Vec<BenchId> = missing.into_iter().collect();
    missing.sort_unstable();
    missing
}
