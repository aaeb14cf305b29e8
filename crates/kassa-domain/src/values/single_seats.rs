//! Single seats: those that a choice leaves without a free neighbour, and that nobody will buy.

use serde::{Deserialize, Serialize};

use super::seat_numbers::SeatNumbers;
use super::seating::SeatRange;

/// What becomes of a choice of seats that leaves a single one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SingleSeatRule {
    /// Nothing: it is taken as it is.
    #[default]
    Off,
    /// Whoever chooses is told of it, and may.
    Warn,
    /// It is refused.
    Forbid,
}

/// A row of a set: what is free of it, with what the order itself holds there, and what the order shall have of that.
#[derive(Clone, Debug, Default)]
pub struct ChosenRow {
    /// What is free, or the order's own.
    pub free: SeatNumbers,
    /// What the order shall have.
    pub chosen: SeatNumbers,
}

impl ChosenRow {
    /// The seats that are not alone now and would be. Where numbers are not consecutive, nobody sits side by side.
    pub fn singles(&self) -> SeatNumbers {
        let is_alone = |number: u16| {
            let before = number.checked_sub(1).is_some_and(|other| self.free.contains(other));
            !before && !self.free.contains(number + 1)
        };
        self.runs_left().filter(|run| run.from == run.to && !is_alone(run.from)).map(|run| run.from).collect()
    }

    fn runs_left(&self) -> impl Iterator<Item = SeatRange> {
        let mut left = self.free.clone();
        left.remove_all(&self.chosen);
        left.runs().collect::<Vec<_>>().into_iter()
    }
}

/// The single seats that a choice leaves in the rows of a set, by their row: none where the same groups of neighbours
/// cannot sit elsewhere in the set without leaving one.
///
/// A choice of one group is spared if and only if there is no such place. With several groups, places are looked for one
/// group after the other, the largest first, each where the least is left over: whoever is refused could sit there.
pub fn avoidable_singles(rows: &[ChosenRow]) -> Vec<(usize, SeatNumbers)> {
    let singles = rows.iter().map(ChosenRow::singles).enumerate();
    let singles: Vec<_> = singles.filter(|(_, numbers)| numbers.count() > 0).collect();
    if singles.is_empty() || !has_other_places(rows) { Vec::new() } else { singles }
}

/// Whether the groups of a choice fit into what is free so that each leaves nothing of its run, or two seats at least.
fn has_other_places(rows: &[ChosenRow]) -> bool {
    let mut groups: Vec<u32> = rows.iter().flat_map(|row| row.chosen.runs()).map(SeatRange::count).collect();
    let mut runs: Vec<u32> = rows.iter().flat_map(|row| row.free.runs()).map(SeatRange::count).collect();
    groups.sort_unstable_by(|one, other| other.cmp(one));
    for group in groups {
        let fits = |run: &&mut u32| **run == group || **run >= group + 2;
        let Some(run) = runs.iter_mut().filter(fits).min_by_key(|run| **run) else { return false };
        *run -= group;
    }
    true
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Seats of each of two rows here.
    const SEATS: u16 = 6;

    /// A row as people draw it: `_` is free, `x` is chosen, all else is taken.
    fn row(drawing: &str) -> ChosenRow {
        let mut row = ChosenRow::default();
        for (number, place) in (1..).zip(drawing.chars()) {
            if matches!(place, '_' | 'x') {
                row.free.insert(number);
            }
            if place == 'x' {
                row.chosen.insert(number);
            }
        }
        row
    }

    fn singles(rows: &[&str]) -> Vec<(usize, Vec<u16>)> {
        let rows: Vec<ChosenRow> = rows.iter().map(|drawing| row(drawing)).collect();
        avoidable_singles(&rows).into_iter().map(|(row, numbers)| (row, numbers.iter().collect())).collect()
    }

    #[test]
    fn a_seat_without_a_free_neighbour_is_single_unless_it_was_before_or_nothing_else_is_left() {
        for (case, rows, expected) in [
            ("at the edge", &["_xx___"][..], vec![(0, vec![1])]),
            ("in the middle", &["xx_x__"], vec![(0, vec![3])]),
            ("beside those that are taken", &["._xx__"], vec![(0, vec![2])]),
            ("from the edge on", &["xx____"], vec![]),
            ("two are left", &["__xx__"], vec![]),
            ("all of them", &["xxxxxx"], vec![]),
            ("it was single before", &["_.xx__"], vec![]),
            ("there are three seats only", &[".xx_.."], vec![]),
            ("another row has two", &[".xx_..", "...__."], vec![(0, vec![4])]),
            ("another row has three", &[".xx_..", "...___"], vec![]),
            ("another row has four", &[".xx_..", "..____"], vec![(0, vec![4])]),
            ("two groups and five seats", &["xx_xx."], vec![]),
            ("two groups, and place for both", &["xx_xx.", "..__.."], vec![(0, vec![3])]),
            ("one of two seats", &["x_...."], vec![]),
            ("one of two seats, and another one", &["x_._.."], vec![(0, vec![2])]),
        ] {
            assert_eq!(singles(rows), expected, "{case}");
        }
    }

    fn some_seats() -> impl Strategy<Value = Vec<u16>> {
        prop::collection::vec(1..=SEATS, 0..10)
    }

    fn some_row() -> impl Strategy<Value = ChosenRow> {
        (some_seats(), some_seats()).prop_map(|(free, chosen)| {
            let free: SeatNumbers = free.into_iter().collect();
            let chosen = chosen.into_iter().filter(|number| free.contains(*number)).collect();
            ChosenRow { free, chosen }
        })
    }

    fn groups(rows: &[ChosenRow]) -> Vec<u32> {
        let mut groups: Vec<u32> = rows.iter().flat_map(|row| row.chosen.runs()).map(SeatRange::count).collect();
        groups.sort_unstable();
        groups
    }

    fn leaves_none(rows: &[ChosenRow]) -> bool {
        rows.iter().all(|row| row.singles().count() == 0)
    }

    /// Every choice that there is in two rows.
    fn all_choices(rows: &[ChosenRow]) -> impl Iterator<Item = Vec<ChosenRow>> {
        (0..1_u32 << (2 * SEATS)).filter_map(move |bits| {
            let choose = |(at, row): (usize, &ChosenRow)| {
                let bit = |number: &u16| at * usize::from(SEATS) + usize::from(*number) - 1;
                let chosen: Vec<u16> = (1..=SEATS).filter(|number| bits >> bit(number) & 1 == 1).collect();
                let is_free = chosen.iter().all(|number| row.free.contains(*number));
                is_free.then(|| ChosenRow { free: row.free.clone(), chosen: chosen.into_iter().collect() })
            };
            rows.iter().enumerate().map(choose).collect()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn whoever_is_told_of_a_single_seat_leaves_one_and_could_sit_elsewhere(one in some_row(), other in some_row()) {
            let rows = [one, other];
            let told = avoidable_singles(&rows);
            let wanted = groups(&rows);
            // Groups that touch each other sit no worse.
            let as_good = |choice: &[ChosenRow]| {
                let theirs = groups(choice);
                theirs.iter().sum::<u32>() == wanted.iter().sum::<u32>() && theirs.len() <= wanted.len()
            };
            let has_place = || all_choices(&rows).any(|choice| as_good(&choice) && leaves_none(&choice));
            for (at, numbers) in &told {
                prop_assert_eq!(numbers, &rows[*at].singles());
            }
            if !told.is_empty() {
                prop_assert!(has_place());
            } else if wanted.len() <= 1 {
                prop_assert!(leaves_none(&rows) || !has_place());
            }
        }
    }
}
