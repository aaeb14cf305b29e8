//! Which seats an order is given that does not say which (decisions §7): neighbours in the best row that
//! has them, else the fewest pieces.

use std::borrow::Cow;
use std::cmp::Reverse;

use super::{Bench, BenchId, Numbers};
use crate::seating::Span;
use crate::set::{Seats, Set};
use crate::view::View;

/// A chair by its bench and its number.
pub(crate) type Chair = (BenchId, u16);

/// Neighbours on a bench.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) bench: BenchId,
    pub(crate) seats: Span,
}

/// The seats that are to be given.
#[derive(Debug, Default)]
pub(crate) struct Choice {
    pub(crate) pieces: Vec<Piece>,
    /// Whether they continue what the order holds, wherever that is.
    pub(crate) beside: bool,
}

impl Choice {
    /// The chairs, as they are given out.
    pub(crate) fn chairs(&self) -> impl Iterator<Item = Chair> {
        self.pieces.iter().flat_map(|piece| (piece.seats.from..=piece.seats.to).map(|number| (piece.bench, number)))
    }
}

/// Whether chairs are one run of neighbours.
pub(crate) fn are_neighbours(chairs: &[Chair]) -> bool {
    let Some((bench, _)) = chairs.first() else { return true };
    let numbers: Numbers = chairs.iter().map(|(_, number)| *number).collect();
    chairs.iter().all(|(other, _)| other == bench) && numbers.runs().count() == 1
}

/// Chooses `want` of the seats of `set` that are vacant on its benches in the view, for an order that holds
/// `held` of them: those that continue what is held, if there are enough; else neighbours in the best row;
/// else the longest runs, so that they are in the fewest pieces, and of equals those in a row of an
/// earlier piece, and then in the best row.
pub(crate) fn choose(set: &Set, want: u32, held: &[Chair], view: &View) -> Choice {
    let mut free = Free::of(set, view);
    if let Some(pieces) = free.beside(held, want) {
        return Choice { pieces, beside: true };
    }
    let mut pieces: Vec<Piece> = Vec::new();
    let mut left = want;
    while left > 0 {
        let Some(piece) = free.next(left) else { break };
        left -= piece.seats.count();
        pieces.push(piece);
    }
    Choice { pieces, beside: false }
}

/// What is free of a bench: what is vacant, stays, and is promised to nobody.
struct Place<'a> {
    bench: &'a Bench,
    free: Cow<'a, Numbers>,
    /// The longest run of what is free.
    longest: u32,
    /// Whether a piece is there already.
    used: bool,
}

impl Place<'_> {
    /// Takes up to so many neighbours: where the least is left over, else the longest run.
    fn take(&mut self, want: u32) -> Option<Piece> {
        let wanted = want.min(self.longest);
        let run = self.free.runs().filter(|run| run.count() >= wanted).min_by_key(|run| run.count())?;
        let to = run.from.checked_add(u16::try_from(wanted).ok()?.checked_sub(1)?)?;
        let seats = Span { from: run.from, to };
        self.free.to_mut().subtract(&(seats.from..=seats.to).collect());
        (self.longest, self.used) = (self.free.longest_run(), true);
        Some(Piece { bench: self.bench.id, seats })
    }
}

/// What is free of a set.
struct Free<'a> {
    places: Vec<Place<'a>>,
}

impl<'a> Free<'a> {
    fn of(set: &Set, view: &'a View) -> Self {
        let staying = set.seats.as_ref().filter(|_| set.doomed > 0).map(Seats::wanted);
        let place = |bench: &'a Bench| {
            let mut free = Cow::Borrowed(&bench.vacant);
            if let Some(promised) = view.promised(bench.id) {
                free.to_mut().subtract(promised);
            }
            if let Some(staying) = &staying {
                let going = bench.vacant.iter().filter(|number| !staying.has(&bench.row, *number)).collect();
                free.to_mut().subtract(&going);
            }
            Place { bench, longest: free.longest_run(), free, used: false }
        };
        Self { places: view.benches.rows().filter(|bench| bench.set == set.id).map(place).collect() }
    }

    /// Seats that make the held ones more: first between them, then behind, then before.
    fn beside(&self, held: &[Chair], want: u32) -> Option<Vec<Piece>> {
        let (bench, first) = *held.first()?;
        let free = &self.places.iter().find(|place| place.bench.id == bench)?.free;
        let numbers: Numbers = held.iter().filter(|(other, _)| *other == bench).map(|(_, number)| *number).collect();
        let mut all = free.clone().into_owned();
        all.extend(numbers.iter());
        let run = all.runs().find(|run| run.has(first))?;
        let (low, high) = (numbers.iter().min()?, numbers.iter().max()?);
        if numbers.count() as usize != held.len() || !run.has(low) || !run.has(high) {
            return None;
        }
        let in_turn = (low..=run.to).chain((run.from..low).rev());
        let picked: Numbers = in_turn.filter(|number| free.has(*number)).take(want as usize).collect();
        (picked.count() == want).then(|| picked.runs().map(|seats| Piece { bench, seats }).collect())
    }

    /// So many neighbours in the best row that has them, else as many as there are anywhere.
    fn next(&mut self, want: u32) -> Option<Piece> {
        let free = self.places.iter_mut().filter(|place| place.longest > 0);
        let best = free.min_by_key(|place| (Reverse(place.longest.min(want)), !place.used, place.bench.place()))?;
        best.take(want)
    }
}
