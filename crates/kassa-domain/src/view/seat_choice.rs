//! Which seats an order is given that does not say which: neighbours in the best row that
//! has them, else the fewest pieces.

use std::borrow::Cow;
use std::cmp::Reverse;

use super::View;
use crate::model::seat_row_inventory::SeatRowInventory;
use crate::model::set::{SetSeats, TicketSet};
use crate::values::resource_ids::SeatRowInventoryId;
use crate::values::seat_numbers::SeatNumbers;
use crate::values::seating::SeatRange;

/// A seat by its row inventory and its number.
pub(crate) type SeatRef = (SeatRowInventoryId, u16);

/// Neighbours on a row inventory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChosenSeatRun {
    pub(crate) inventory: SeatRowInventoryId,
    pub(crate) seats: SeatRange,
}

/// The seats that are to be given.
#[derive(Debug, Default)]
pub(crate) struct SeatChoice {
    pub(crate) runs: Vec<ChosenSeatRun>,
    /// Whether they continue what the order holds, wherever that is.
    pub(crate) adjoins_held: bool,
}

impl SeatChoice {
    /// The seats, as they are given out.
    pub(crate) fn seats(&self) -> impl Iterator<Item = SeatRef> {
        self.runs.iter().flat_map(|piece| (piece.seats.from..=piece.seats.to).map(|number| (piece.inventory, number)))
    }
}

/// Whether seats are one run of neighbours.
pub(crate) fn are_adjacent(seats: &[SeatRef]) -> bool {
    let Some((inventory, _)) = seats.first() else { return true };
    let numbers: SeatNumbers = seats.iter().map(|(_, number)| *number).collect();
    seats.iter().all(|(other, _)| other == inventory) && numbers.runs().count() == 1
}

/// Chooses `want` of the seats of `set` that are vacant on its row inventories in the view, for an order that holds
/// `held` of them: those that continue what is held, if there are enough; else neighbours in the best row;
/// else the longest runs, so that they are in the fewest pieces, and of equals those in a row of an
/// earlier piece, and then in the best row.
pub(crate) fn choose_seats(set: &TicketSet, want: u32, held: &[SeatRef], view: &View) -> SeatChoice {
    let mut free = FreeSeats::of(set, view);
    if let Some(pieces) = free.adjoining_held(held, want) {
        return SeatChoice { runs: pieces, adjoins_held: true };
    }
    let mut pieces: Vec<ChosenSeatRun> = Vec::new();
    let mut left = want;
    while left > 0 {
        let Some(piece) = free.take_best_run(left) else { break };
        left -= piece.seats.count();
        pieces.push(piece);
    }
    SeatChoice { runs: pieces, adjoins_held: false }
}

/// What is free of a row inventory: what is vacant, stays, and is assigned to nobody.
struct FreeSeatsInRow<'a> {
    inventory: &'a SeatRowInventory,
    numbers: Cow<'a, SeatNumbers>,
    /// The longest run of what is free.
    longest_run: u32,
    /// Whether a piece is there already.
    has_chosen_run: bool,
}

impl FreeSeatsInRow<'_> {
    /// Takes up to so many neighbours: where the least is left over, else the longest run.
    fn take_run(&mut self, want: u32) -> Option<ChosenSeatRun> {
        let wanted = want.min(self.longest_run);
        let run = self.numbers.runs().filter(|run| run.count() >= wanted).min_by_key(|run| run.count())?;
        let to = run.from.checked_add(u16::try_from(wanted).ok()?.checked_sub(1)?)?;
        let seats = SeatRange { from: run.from, to };
        self.numbers.to_mut().remove_all(&(seats.from..=seats.to).collect());
        (self.longest_run, self.has_chosen_run) = (self.numbers.longest_run(), true);
        Some(ChosenSeatRun { inventory: self.inventory.id, seats })
    }
}

/// What is free of a set.
struct FreeSeats<'a> {
    rows: Vec<FreeSeatsInRow<'a>>,
}

impl<'a> FreeSeats<'a> {
    fn of(set: &TicketSet, view: &'a View) -> Self {
        let staying = set.seats.as_ref().filter(|_| set.pending_removal > 0).map(SetSeats::target_seating);
        let place = |inventory: &'a SeatRowInventory| {
            let mut free = Cow::Borrowed(&inventory.vacant);
            if let Some(assigned) = view.assigned_seats(inventory.id) {
                free.to_mut().remove_all(assigned);
            }
            if let Some(staying) = &staying {
                let going =
                    inventory.vacant.iter().filter(|number| !staying.contains(&inventory.row, *number)).collect();
                free.to_mut().remove_all(&going);
            }
            FreeSeatsInRow { inventory, longest_run: free.longest_run(), numbers: free, has_chosen_run: false }
        };
        Self { rows: view.seat_row_inventories.rows().filter(|inventory| inventory.set == set.id).map(place).collect() }
    }

    /// Seats that make the held ones more: first between them, then after, then before.
    fn adjoining_held(&self, held: &[SeatRef], want: u32) -> Option<Vec<ChosenSeatRun>> {
        let (inventory, first) = *held.first()?;
        let free = &self.rows.iter().find(|place| place.inventory.id == inventory)?.numbers;
        let numbers: SeatNumbers =
            held.iter().filter(|(other, _)| *other == inventory).map(|(_, number)| *number).collect();
        let mut all = free.clone().into_owned();
        all.insert_all(numbers.iter());
        let run = all.runs().find(|run| run.contains(first))?;
        let (low, high) = (numbers.iter().min()?, numbers.iter().max()?);
        if numbers.count() as usize != held.len() || !run.contains(low) || !run.contains(high) {
            return None;
        }
        let in_turn = (low..=run.to).chain((run.from..low).rev());
        let picked: SeatNumbers = in_turn.filter(|number| free.contains(*number)).take(want as usize).collect();
        (picked.count() == want).then(|| picked.runs().map(|seats| ChosenSeatRun { inventory, seats }).collect())
    }

    /// So many neighbours in the best row that has them, else as many as there are anywhere.
    fn take_best_run(&mut self, want: u32) -> Option<ChosenSeatRun> {
        let free = self.rows.iter_mut().filter(|place| place.longest_run > 0);
        let best = free.min_by_key(|place| {
            (Reverse(place.longest_run.min(want)), !place.has_chosen_run, place.inventory.sort_key())
        })?;
        best.take_run(want)
    }
}
