//! The seats that somebody has chosen of an event: `seats.<set>.<row>=5`, or `=1-20,22`, and `rows.<set>=<row>` for a whole
//! row.

use std::collections::{BTreeMap, BTreeSet};

use super::board::{Board, SeatState};
use super::rows::{NamedNumbers, Rows};

const SEATS: &str = "seats.";
const ROWS: &str = "rows.";

/// Chosen seats by their sets.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Choice(BTreeMap<String, Rows>);

/// What a form names, whether the hall has it or not, by sets and rows.
#[derive(Debug, Default)]
struct Named<'f> {
    seats: BTreeMap<(&'f str, &'f str), NamedNumbers>,
    rows: BTreeSet<(&'f str, &'f str)>,
}

impl<'f> Named<'f> {
    fn of(pairs: &'f [(String, String)]) -> Self {
        let mut named = Self::default();
        for (name, value) in pairs {
            if let Some((set, row)) = name.strip_prefix(SEATS).and_then(|rest| rest.split_once('.')) {
                named.seats.entry((set, row)).or_default().add(value);
            } else if let Some(set) = name.strip_prefix(ROWS) {
                named.rows.insert((set, value));
            }
        }
        named
    }
}

impl Choice {
    /// What a form says of the seats that there are. The hall says how much work that is, and not the form.
    pub(super) fn of(pairs: &[(String, String)], board: &Board) -> Self {
        let mut named = Named::of(pairs);
        let mut choice = Self::default();
        for (set, seats) in board.sets.iter().zip(&board.hall.sets) {
            let mut chosen = Rows::default();
            for row in &seats.rows {
                let place = (set.id.as_str(), row.name.as_str());
                if let Some(numbers) = named.seats.remove(&place) {
                    chosen.add(&row.name, numbers.among(&row.numbers));
                }
                if named.rows.contains(&place) {
                    // All of it that can be chosen.
                    let open = (row.first..).zip(&row.numbers).filter(|(at, _)| set.state(*at) != SeatState::Taken);
                    chosen.add(&row.name, open.map(|(_, number)| *number));
                }
            }
            if chosen.count() > 0 {
                choice.0.insert(set.id.clone(), chosen);
            }
        }
        choice
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn sets(&self) -> impl Iterator<Item = (&str, &Rows)> {
        self.0.iter().map(|(set, rows)| (set.as_str(), rows))
    }

    pub(super) fn has(&self, set: &str, row: &str, number: u16) -> bool {
        self.0.get(set).is_some_and(|rows| rows.has(row, number))
    }
}
