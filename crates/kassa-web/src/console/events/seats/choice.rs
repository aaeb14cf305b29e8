//! The seats that somebody has chosen of an event: `seats.<set>.<row>=5`, or `=1-20,22`, and `rows.<set>=<row>` for a whole
//! row.

use std::collections::BTreeMap;

use super::board::{Board, SeatState};
use super::rows::Rows;

const SEATS: &str = "seats.";
const ROWS: &str = "rows.";

/// Chosen seats by their sets.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Choice(BTreeMap<String, Rows>);

impl Choice {
    /// What a form says.
    pub(super) fn of(pairs: &[(String, String)], board: &Board) -> Self {
        let mut choice = Self::default();
        for (name, value) in pairs {
            if let Some((set, row)) = name.strip_prefix(SEATS).and_then(|rest| rest.split_once('.')) {
                choice.0.entry(set.to_owned()).or_default().add_named(row, value);
            } else if let Some(set) = name.strip_prefix(ROWS) {
                choice.add_row(set, value, board);
            }
        }
        choice.0.retain(|set, rows| board.set(set).is_some() && rows.count() > 0);
        choice
    }

    /// Adds the seats of a row that can be chosen.
    fn add_row(&mut self, id: &str, name: &str, board: &Board) {
        let Some((set, seats)) = board.set(id) else { return };
        for row in seats.rows.iter().filter(|row| row.name == name) {
            let open = (row.first..).zip(&row.numbers).filter(|(at, _)| set.state(*at) != SeatState::Taken);
            self.0.entry(id.to_owned()).or_default().add(name, open.map(|(_, number)| *number));
        }
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
