//! The seats in words: sets with what is left of them, and the rows of one of their parts.

use kassa_texts::Texts;

use super::board::{Board, BoardSet, SeatState};
use super::choice::Choice;
use crate::hall::{HallRow, HallSet};
use crate::pages::seats::parts_of;
use crate::seat_selection::field_of;

/// Seats of one price, or without one.
pub(super) struct PricedSeats {
    pub(super) name: String,
    /// The price; none of seats without one.
    pub(super) price: Option<String>,
    pub(super) shape: usize,
    /// How many are free, held back and taken.
    pub(super) counts: String,
    pub(super) parts: Vec<RowsPart>,
}

/// Some rows.
pub(super) struct RowsPart {
    pub(super) value: String,
    pub(super) label: String,
    /// The rows, counted from the front: from the first on, up to the one after the last.
    pub(super) rows: (usize, usize),
    pub(super) is_open: bool,
}

/// The rows that are shown.
pub(super) struct ShownRows {
    pub(super) title: String,
    pub(super) value: String,
    pub(super) rows: Vec<RowBoxes>,
}

/// A row.
pub(super) struct RowBoxes {
    pub(super) label: String,
    pub(super) name: String,
    /// The field that chooses seats of it, and the one that chooses it all.
    pub(super) field: String,
    pub(super) whole: String,
    pub(super) seats: Vec<BoardSeat>,
}

/// A seat.
pub(super) struct BoardSeat {
    pub(super) number: u16,
    pub(super) is_chosen: bool,
    pub(super) is_taken: bool,
    pub(super) is_blocked: bool,
}

/// The set and the part that are asked for, else the first there is.
pub(super) fn open_part(board: &Board, asked: &str) -> Option<(usize, usize)> {
    let wanted = asked.split_once('.').and_then(|(id, part)| {
        let at = board.sets.iter().position(|set| set.id == id)?;
        let part = part.parse().ok()?;
        (part < parts_of(&board.hall.sets[at]).len()).then_some((at, part))
    });
    wanted.or_else(|| (!board.sets.is_empty()).then_some((0, 0)))
}

pub(super) fn categories(board: &Board, open: Option<(usize, usize)>, texts: &Texts) -> Vec<PricedSeats> {
    let count = |count: usize| count.to_string();
    let category = |at: usize| {
        let (set, seats) = (&board.sets[at], &board.hall.sets[at]);
        let parts = parts_of(seats).into_iter().enumerate().map(|(part, rows)| RowsPart {
            value: format!("{}.{part}", set.id),
            label: part_label(&seats.rows[rows.0..rows.1], texts),
            rows,
            is_open: open == Some((at, part)),
        });
        let priced = || {
            let [free, held, taken] =
                [SeatState::Vacant, SeatState::Blocked, SeatState::Taken].map(|state| count(set.count(state)));
            texts.with("seats-counts", &[("free", &free), ("held", &held), ("taken", &taken)])
        };
        let unpriced = || texts.count("chosen-so-far", i64::try_from(seats.seats()).unwrap_or(i64::MAX));
        PricedSeats {
            name: set.name.clone(),
            price: set.price.clone(),
            shape: set.shape,
            counts: if set.is_priced() { priced() } else { unpriced() },
            parts: parts.collect(),
        }
    };
    (0..board.sets.len()).map(category).collect()
}

/// `Rows 1–12`
fn part_label(rows: &[HallRow], texts: &Texts) -> String {
    match rows {
        [only] => format!("{} {}", texts.text("row"), only.name),
        [first, .., last] => format!("{} {}–{}", texts.text("rows"), first.name, last.name),
        [] => String::new(),
    }
}

/// The rows of a part of a set.
pub(super) fn rows(board: &Board, (at, part): (usize, usize), choice: &Choice, texts: &Texts) -> ShownRows {
    let (set, seats): (_, &HallSet) = (&board.sets[at], &board.hall.sets[at]);
    let (from, to) = parts_of(seats).get(part).copied().unwrap_or_default();
    let of_row = |row: &HallRow| {
        let boxes = (row.first..).zip(&row.numbers).map(|(bit, number)| {
            let state = set.state(bit);
            BoardSeat {
                number: *number,
                is_chosen: state != SeatState::Taken && choice.has(&set.id, &row.name, *number),
                is_taken: state == SeatState::Taken,
                is_blocked: state == SeatState::Blocked,
            }
        });
        RowBoxes {
            label: format!("{} {}", texts.text("row"), row.name),
            name: row.name.clone(),
            field: field_of(&set.id, &row.name),
            whole: format!("rows.{}", set.id),
            seats: boxes.collect(),
        }
    };
    let price = set.price.clone().unwrap_or_else(|| texts.text("seats-unpriced"));
    ShownRows {
        title: format!("{}, {price}", set.name),
        value: format!("{}.{part}", set.id),
        rows: seats.rows[from..to].iter().map(of_row).collect(),
    }
}

/// Sets that seats can be given to: ids, and names with prices.
pub(super) fn targets(board: &Board) -> Vec<(String, String)> {
    let target = |set: &BoardSet| Some((set.id.clone(), format!("{} · {}", set.name, set.price.as_ref()?)));
    board.sets.iter().filter_map(target).collect()
}
