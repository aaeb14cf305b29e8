//! Seats that somebody has chosen, as forms and addresses name them: `seats.<set>.<row>=<number>`.

use std::fmt::Write as _;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

/// What the names of their fields begin with.
const PREFIX: &str = "seats.";
/// More seats than any order has.
const SEATS_MAX: usize = 100;

/// A seat by its names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SeatName {
    /// The id of the set.
    pub(crate) set: String,
    pub(crate) row: String,
    pub(crate) number: u16,
}

impl SeatName {
    /// The field by which it is chosen.
    pub(crate) fn field(&self) -> String {
        field_of(&self.set, &self.row)
    }

    fn of(name: &str, value: &str) -> Option<Self> {
        let (set, row) = name.strip_prefix(PREFIX)?.split_once('.')?;
        let is_id = !set.is_empty() && set.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = value.trim().parse().ok().filter(|_| is_id && !row.is_empty())?;
        Some(Self { set: set.to_owned(), row: row.to_owned(), number })
    }
}

/// The field by which seats of a row are chosen.
pub(crate) fn field_of(set: &str, row: &str) -> String {
    format!("{PREFIX}{set}.{row}")
}

/// Chosen seats, each once, in the order of their names.
pub(crate) fn selection_of(pairs: &[(String, String)]) -> Vec<SeatName> {
    let mut seats: Vec<SeatName> = pairs.iter().filter_map(|(name, value)| SeatName::of(name, value)).collect();
    seats.sort_unstable();
    seats.dedup();
    seats.truncate(SEATS_MAX + 1);
    seats
}

/// The same as a query names it.
pub(crate) fn query_of<'a>(seats: impl IntoIterator<Item = &'a SeatName>) -> String {
    let mut query = String::new();
    for seat in seats {
        let field = seat.field();
        let separator = if query.is_empty() { "" } else { "&" };
        // A text takes all that is written to it.
        let _ = write!(query, "{separator}{}={}", utf8_percent_encode(&field, NON_ALPHANUMERIC), seat.number);
    }
    query
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::parse_pairs;

    #[test]
    fn a_selection_is_what_its_query_says() {
        let text =
            "seats.0a.2=5&seats.0a.2=4&seats.0a.2=5&seats.0b.Row%20A.1=7&set=0a&seats.x.1=1&seats.0a.=1&seats.0a.1=-1";
        let seats = selection_of(&parse_pairs(text));
        let names: Vec<_> = seats.iter().map(|seat| (seat.set.as_str(), seat.row.as_str(), seat.number)).collect();
        assert_eq!(names, [("0a", "2", 4), ("0a", "2", 5), ("0b", "Row A.1", 7)]);
        assert_eq!(selection_of(&parse_pairs(&query_of(&seats))), seats);
    }
}
