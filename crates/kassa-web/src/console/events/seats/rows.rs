//! Seats by their rows, as forms name them and as the interface takes them: numbers, and runs of them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

/// The numbers of seats by the names of their rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Rows(BTreeMap<String, BTreeSet<u16>>);

impl Rows {
    /// Of the `seats` of a set.
    pub(super) fn of_layout(seats: &Value) -> Self {
        let mut rows = Self::default();
        for (row, runs) in seats.as_object().into_iter().flatten() {
            for run in runs.as_array().into_iter().flatten() {
                let end = |at: usize| run[at].as_u64().and_then(|number| u16::try_from(number).ok());
                if let (Some(from), Some(to)) = (end(0), end(1)) {
                    rows.add(row, from..=to);
                }
            }
        }
        rows
    }

    /// As the interface takes them.
    pub(super) fn to_layout(&self) -> Value {
        let rows = self.0.iter().filter(|(_, numbers)| !numbers.is_empty());
        let rows = rows.map(|(row, numbers)| (row.clone(), json!(runs_of(numbers))));
        Value::Object(rows.collect::<Map<String, Value>>())
    }

    pub(super) fn add(&mut self, row: &str, numbers: impl IntoIterator<Item = u16>) {
        self.0.entry(row.to_owned()).or_default().extend(numbers);
    }

    pub(super) fn add_all(&mut self, other: &Self) {
        for (row, numbers) in &other.0 {
            self.add(row, numbers.iter().copied());
        }
    }

    /// Takes out those that are in both, and returns them.
    pub(super) fn take_all(&mut self, other: &Self) -> Self {
        let mut taken = Self::default();
        for (row, numbers) in &other.0 {
            if let Some(own) = self.0.get_mut(row) {
                taken.add(row, own.extract_if(.., |number| numbers.contains(number)));
            }
        }
        taken
    }

    pub(super) fn has(&self, row: &str, number: u16) -> bool {
        self.0.get(row).is_some_and(|numbers| numbers.contains(&number))
    }

    /// How many seats there are.
    pub(super) fn count(&self) -> usize {
        self.0.values().map(BTreeSet::len).sum()
    }
}

/// Numbers of a row as forms name them, whether the row has them or not: the first and the last number of each run.
#[derive(Debug, Default)]
pub(super) struct NamedNumbers(Vec<(u16, u16)>);

impl NamedNumbers {
    /// Adds what a field says: `5`, or `1-20,22`.
    pub(super) fn add(&mut self, text: &str) {
        for part in text.split(',') {
            let (from, to) = part.split_once('-').unwrap_or((part, part));
            if let (Ok(from), Ok(to)) = (from.trim().parse(), to.trim().parse()) {
                self.0.push((from, to));
            }
        }
    }

    /// Those that a row has. A form can name far more than any row has, and as often as it likes: each run is looked at
    /// once, and each number of the row, which come in their order.
    pub(super) fn among(mut self, row: &[u16]) -> Vec<u16> {
        self.0.sort_unstable();
        let mut runs = self.0.iter().peekable();
        let mut end: Option<u16> = None;
        let mut is_named = |number: &u16| {
            while let Some((_, to)) = runs.next_if(|(from, _)| from <= number) {
                end = end.max(Some(*to));
            }
            end >= Some(*number)
        };
        row.iter().copied().filter(|number| is_named(number)).collect()
    }
}

/// Runs of neighbours: the first and the last number of each.
pub(super) fn runs_of(numbers: &BTreeSet<u16>) -> Vec<(u16, u16)> {
    let mut runs: Vec<(u16, u16)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((_, to)) if u32::from(*to) + 1 == u32::from(*number) => *to = *number,
            _ => runs.push((*number, *number)),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_what_their_layout_says() {
        let layout = json!({"1": [[1, 3], [5, 5]], "B.2": [[65534, 65535]]});
        let mut rows = Rows::of_layout(&layout);
        assert_eq!(rows.to_layout(), layout);
        let gone = Rows::of_layout(&json!({"1": [[2, 2], [5, 9]]}));
        assert_eq!(rows.take_all(&gone).to_layout(), json!({"1": [[2, 2], [5, 5]]}));
        assert_eq!(rows.to_layout(), json!({"1": [[1, 1], [3, 3]], "B.2": [[65534, 65535]]}));
        rows.add_all(&gone);
        assert_eq!((rows.count(), rows.has("1", 9), rows.has("2", 1)), (10, true, false));
        rows.take_all(&Rows::of_layout(&json!({"B.2": [[1, 65535]]})));
        assert_eq!(rows.to_layout(), json!({"1": [[1, 3], [5, 9]]}), "no row is empty");
    }
    #[test]
    fn of_the_numbers_that_are_named_only_those_of_the_row_are_taken() {
        let named = |fields: &[&str], row: &[u16]| {
            let mut numbers = NamedNumbers::default();
            for text in fields {
                numbers.add(text);
            }
            numbers.among(row)
        };
        assert_eq!(named(&["6-7, 2", "many-1,7-9", "9-3"], &[1, 2, 3, 6, 8, 12]), [2, 6, 8]);
        assert_eq!(named(&["0-65535", "3"], &[1, 3, 65535]), [1, 3, 65535]);
        assert_eq!(named(&["1-9,2-3"], &[3, 4, 9, 10]), [3, 4, 9], "a short run in a long one");
        assert_eq!(named(&["0-65535"], &[]), [0_u16; 0]);
        assert_eq!(named(&["2-1", ""], &[0, 1, 2]), [0_u16; 0]);
    }
}
