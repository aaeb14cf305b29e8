//! Which seats to offer somebody who has not chosen any, or has lost some: neighbours near the middle of a row near the
//! front, or near what was lost.

use super::seat_numbers::SeatNumbers;
use super::seating::SeatRange;

/// A row further off counts as much as so many half seats to the side.
const ROW_HALF_SEATS: u32 = 4;

/// A row of a set, from the best on.
#[derive(Clone, Debug)]
pub struct AdvisedRow {
    /// What is free.
    pub free: SeatNumbers,
    /// The first and the last of all its seats, whoever has them.
    pub ends: SeatRange,
}

/// A place in some rows: which row, and which number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeatPlace {
    /// The row, counted from the best on.
    pub row: usize,
    /// The number in it.
    pub number: u16,
}

impl AdvisedRow {
    /// How far a group is from the middle of the row, in half seats; to the left it is negative.
    fn offset(&self, group: SeatRange) -> i32 {
        let sum = |range: SeatRange| i32::from(range.from) + i32::from(range.to);
        sum(group) - sum(self.ends)
    }

    /// All groups of so many free neighbours, and whether each leaves a single seat.
    fn groups(&self, count: u16) -> impl Iterator<Item = (SeatRange, bool)> {
        let starts = move |run: SeatRange| {
            let last = (run.to + 1).checked_sub(count).filter(|last| *last >= run.from);
            last.into_iter().flat_map(move |last| (run.from..=last).map(move |from| (run, from)))
        };
        self.free.runs().flat_map(starts).map(move |(run, from)| {
            let group = SeatRange { from, to: from + count - 1 };
            (group, group.from - run.from == 1 || run.to - group.to == 1)
        })
    }
}

/// So many free neighbours that are nearest to the front and the middle, or to a place: of groups that leave no single
/// seat, else of all. Of equals the one further to the front, and then the one with the lower numbers. `None` if no row
/// has as many.
pub fn best_neighbours(rows: &[AdvisedRow], count: u16, near: Option<SeatPlace>) -> Option<(usize, SeatRange)> {
    if count == 0 {
        return None;
    }
    let target = near.and_then(|place| {
        let only = SeatRange { from: place.number, to: place.number };
        rows.get(place.row).map(|row| (place.row, row.offset(only)))
    });
    let (best_row, best_offset) = target.unwrap_or_default();
    let groups = rows.iter().enumerate().flat_map(|(at, row)| {
        let distance = u32::try_from(at.abs_diff(best_row)).unwrap_or(u32::MAX).saturating_mul(ROW_HALF_SEATS);
        row.groups(count).map(move |(group, leaves_single)| {
            let aside = row.offset(group).abs_diff(best_offset);
            (leaves_single, distance.saturating_add(aside), at, group)
        })
    });
    groups.min().map(|(_, _, row, group)| (row, group))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::single_seats::ChosenRow;
    use super::*;

    /// Rows as people draw them: `_` is free.
    fn rows(drawings: &[&str]) -> Vec<AdvisedRow> {
        let row = |drawing: &&str| {
            let free = (1..).zip(drawing.chars()).filter(|(_, place)| *place == '_').map(|(number, _)| number);
            AdvisedRow { free: free.collect(), ends: (1, u16::try_from(drawing.len()).unwrap()).into() }
        };
        drawings.iter().map(row).collect()
    }

    fn best(drawings: &[&str], count: u16, near: Option<(usize, u16)>) -> Option<(usize, u16, u16)> {
        let near = near.map(|(row, number)| SeatPlace { row, number });
        best_neighbours(&rows(drawings), count, near).map(|(row, range)| (row, range.from, range.to))
    }

    #[test]
    fn the_best_are_in_the_middle_near_the_front_and_leave_no_single_seat() {
        for (case, drawings, count, near, expected) in [
            ("the middle of the front", &["________", "________"][..], 2, None, Some((0, 4, 5))),
            ("an odd number", &["_________", "_________"], 3, None, Some((0, 4, 6))),
            ("the middle of the second row before the edge", &["__......__", "__________"], 2, None, Some((1, 5, 6))),
            ("no single seat", &["...___...", "_________"], 2, None, Some((1, 4, 5))),
            ("a single seat where there is no other place", &["...___..."], 2, None, Some((0, 4, 5))),
            ("nobody has as many", &["__.__", "__.__"], 3, None, None),
            ("none", &["__"], 0, None, None),
            ("near another", &["________", "________"], 2, Some((1, 8)), Some((1, 7, 8))),
            ("near one that is taken", &["________", "______.."], 2, Some((1, 8)), Some((0, 7, 8))),
            ("a row that is not there", &["____"], 2, Some((7, 1)), Some((0, 1, 2))),
        ] {
            assert_eq!(best(drawings, count, near), expected, "{case}");
        }
    }

    fn some_rows() -> impl Strategy<Value = Vec<AdvisedRow>> {
        let row = prop::collection::vec(1..12_u16, 0..12);
        let row = row.prop_map(|free| AdvisedRow { free: free.into_iter().collect(), ends: (1, 12).into() });
        prop::collection::vec(row, 0..4)
    }

    proptest! {
        #[test]
        fn what_is_offered_is_free_and_leaves_a_single_seat_only_if_all_do(
            rows in some_rows(), count in 1..5_u16, near in prop::option::of((0..4_usize, 1..12_u16)),
        ) {
            let near = near.map(|(row, number)| SeatPlace { row, number });
            let has_place = rows.iter().any(|row| row.free.longest_run() >= count.into());
            let found = best_neighbours(&rows, count, near);
            prop_assert_eq!(found.is_some(), has_place);
            prop_assert_eq!(found, best_neighbours(&rows, count, near));
            let Some((row, group)) = found else { return Ok(()) };
            prop_assert_eq!(group.count(), u32::from(count));
            let chosen = |row: &AdvisedRow, group: SeatRange| ChosenRow {
                free: row.free.clone(),
                chosen: (group.from..=group.to).collect(),
            };
            prop_assert!((group.from..=group.to).all(|number| rows[row].free.contains(number)));
            if chosen(&rows[row], group).singles().count() > 0 {
                for row in &rows {
                    for (other, _) in row.groups(count) {
                        prop_assert!(chosen(row, other).singles().count() > 0);
                    }
                }
            }
        }
    }
}
