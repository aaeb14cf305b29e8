//! Seats: rows with names, seats with numbers, and sets of them.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::natural_sort::natural_key;
use super::resource_ids::SeatRowInventoryId;

/// The longest name of a row, in characters.
const ROW_CHARS_MAX: usize = 16;

/// The highest number of a seat.
pub const SEAT_MAX: u16 = 9_999;

/// The name of a row. Rows are in their natural order, and the front is the first: 2 before 10.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowName {
    sort_key: Box<str>,
    text: Box<str>,
}

impl RowName {
    fn new(text: &str) -> Self {
        Self { sort_key: natural_key(text).into(), text: text.into() }
    }

    /// As people write it.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// What it is sorted by; no other row's is the same.
    pub fn sort_key(&self) -> &str {
        &self.sort_key
    }
}

impl fmt::Display for RowName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for RowName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text, f)
    }
}

/// The text names no row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the name of a row must have 1 to {ROW_CHARS_MAX} characters, without control characters")]
pub struct MalformedRowName;

impl FromStr for RowName {
    type Err = MalformedRowName;

    fn from_str(text: &str) -> Result<Self, MalformedRowName> {
        let text = text.trim();
        let fits = (1..=ROW_CHARS_MAX).contains(&text.chars().count());
        if fits && !text.chars().any(char::is_control) { Ok(Self::new(text)) } else { Err(MalformedRowName) }
    }
}

/// Where a ticket's holder sits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seat {
    /// The sector of the hall; empty where that says nothing.
    pub sector: String,
    /// The row.
    pub row: RowName,
    /// The number in the row.
    pub number: u16,
    /// The row inventory that the seat is on: it goes with set and row.
    pub row_inventory: SeatRowInventoryId,
}

/// Neighbours in a row: the numbers from the first to the last. As JSON `[1, 20]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "(u16, u16)", into = "(u16, u16)")]
pub struct SeatRange {
    /// The first number.
    pub from: u16,
    /// The last number; not below the first.
    pub to: u16,
}

impl SeatRange {
    /// How many they are.
    pub fn count(self) -> u32 {
        (u32::from(self.to) + 1).saturating_sub(self.from.into())
    }

    /// Whether a number is among them.
    pub fn contains(self, number: u16) -> bool {
        (self.from..=self.to).contains(&number)
    }
}

impl From<(u16, u16)> for SeatRange {
    fn from((from, to): (u16, u16)) -> Self {
        Self { from, to }
    }
}

impl From<SeatRange> for (u16, u16) {
    fn from(span: SeatRange) -> Self {
        (span.from, span.to)
    }
}

/// Two spans of a row have a seat in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OverlappingSeats;

/// Some seats of one sector, from the front on. Neighbours may be in two spans: an organizer's
/// spans are kept as they were written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seating {
    /// In each row ascending, without a seat in common; no row is empty.
    rows: BTreeMap<RowName, Vec<SeatRange>>,
}

impl Seating {
    /// Rows of which each may come in pieces; or the first that has a seat twice.
    pub fn from_ranges(pieces: impl IntoIterator<Item = (RowName, SeatRange)>) -> Result<Self, RowName> {
        let (mut rows, mut seating) = (BTreeMap::<RowName, Vec<SeatRange>>::new(), Self::default());
        for (row, span) in pieces {
            rows.entry(row).or_default().push(span);
        }
        for (row, spans) in rows {
            seating.add_row(row.clone(), spans).map_err(|OverlappingSeats| row)?;
        }
        Ok(seating)
    }

    /// Adds the spans of a row that has none yet.
    pub fn add_row(&mut self, row: RowName, mut spans: Vec<SeatRange>) -> Result<(), OverlappingSeats> {
        spans.sort_unstable();
        if spans.windows(2).any(|pair| pair[1].from <= pair[0].to) {
            return Err(OverlappingSeats);
        }
        if !spans.is_empty() {
            self.rows.insert(row, spans);
        }
        Ok(())
    }

    /// Whether it has a row of this name.
    pub fn has_row(&self, row: &RowName) -> bool {
        self.rows.contains_key(row)
    }

    /// How many seats.
    pub fn count(&self) -> i64 {
        self.ranges().map(|(_, span)| i64::from(span.count())).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The spans, from the front on.
    pub fn ranges(&self) -> impl Iterator<Item = (&RowName, SeatRange)> {
        self.rows.iter().flat_map(|(row, spans)| spans.iter().map(move |span| (row, *span)))
    }

    /// The seats, from the front on.
    pub fn seats(&self) -> impl Iterator<Item = (&RowName, u16)> {
        self.ranges().flat_map(|(row, span)| (span.from..=span.to).map(move |number| (row, number)))
    }

    /// Whether a seat is among them.
    pub fn contains(&self, row: &RowName, number: u16) -> bool {
        let only = SeatRange { from: number, to: number };
        self.rows.get(row).is_some_and(|spans| overlapping(spans, only).next().is_some())
    }

    /// The first seat that is also among the others.
    pub fn first_common_seat(&self, other: &Self) -> Option<(&RowName, u16)> {
        self.ranges().find_map(|(row, span)| {
            let theirs = overlapping(other.rows.get(row)?, span).next()?;
            Some((row, span.from.max(theirs.from)))
        })
    }

    /// Those that are not among the others.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        let left = self.rows.iter().map(|(row, spans)| match other.rows.get(row) {
            Some(theirs) => (row.clone(), subtract(spans, theirs)),
            None => (row.clone(), spans.clone()),
        });
        Self { rows: left.filter(|(_, spans)| !spans.is_empty()).collect() }
    }

    /// Both.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let mut sum = self.clone();
        for (row, spans) in other.difference(self).rows {
            let all = sum.rows.entry(row).or_default();
            all.extend(spans);
            all.sort_unstable();
            all.dedup_by(|next, last| {
                let touches = next.from == last.to + 1;
                if touches {
                    last.to = next.to;
                }
                touches
            });
        }
        sum
    }

    /// The first `count` of those that are wanted, from the front on.
    #[must_use]
    pub fn take_first_matching(&self, count: usize, mut wanted: impl FnMut(&RowName, u16) -> bool) -> Self {
        let mut rows: BTreeMap<RowName, Vec<SeatRange>> = BTreeMap::new();
        for (row, number) in self.seats().filter(|(row, number)| wanted(row, *number)).take(count) {
            let spans = match rows.get_mut(row) {
                Some(spans) => spans,
                None => rows.entry(row.clone()).or_default(),
            };
            match spans.last_mut() {
                Some(last) if last.to + 1 == number => last.to = number,
                Some(_) | None => spans.push(SeatRange { from: number, to: number }),
            }
        }
        Self { rows }
    }
}

/// Those of `spans`, which ascend, that have a number in common with another span.
fn overlapping(spans: &[SeatRange], other: SeatRange) -> impl Iterator<Item = &SeatRange> {
    let start = spans.partition_point(|span| span.to < other.from);
    spans[start..].iter().take_while(move |span| span.from <= other.to)
}

/// `spans` without the numbers of `others`; both ascend.
fn subtract(spans: &[SeatRange], others: &[SeatRange]) -> Vec<SeatRange> {
    let mut left = Vec::with_capacity(spans.len());
    for span in spans {
        let mut from = span.from;
        for other in overlapping(others, *span) {
            if other.from > from {
                left.push(SeatRange { from, to: other.from - 1 });
            }
            from = other.to + 1;
        }
        if from <= span.to {
            left.push(SeatRange { from, to: span.to });
        }
    }
    left
}

impl Serialize for RowName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

/// As it was stored.
impl<'de> Deserialize<'de> for RowName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| Self::new(&text))
    }
}

/// A seating as it is stored and shown: `{"1":[[1,20]],"2":[[1,9],[12,20]]}`. It goes with its set
/// through every sale, which has no use for it: so it is a text, and read where seats matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatingJson(Arc<str>);

impl SeatingJson {
    /// As it was stored.
    pub fn from_json(text: &str) -> Self {
        Self(text.into())
    }

    /// As JSON.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The seats. What was not written by this type has none.
    pub fn seating(&self) -> Seating {
        serde_json::from_str(&self.0).unwrap_or_default()
    }
}

impl From<&Seating> for SeatingJson {
    fn from(seating: &Seating) -> Self {
        // Texts and numbers always serialize.
        Self(serde_json::to_string(seating).unwrap_or_default().into())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use proptest::prelude::*;

    fn seating(json: &str) -> Seating {
        serde_json::from_str(json).unwrap()
    }

    fn chairs(seating: &Seating) -> BTreeSet<(RowName, u16)> {
        seating.seats().map(|(row, number)| (row.clone(), number)).collect()
    }

    fn any_seating() -> impl Strategy<Value = Seating> {
        let spans = prop::collection::vec((1..12_u16, 0..4_u16), 0..4);
        prop::collection::btree_map("[1-3]", spans, 0..3).prop_map(|rows| {
            let mut seating = Seating::default();
            for (row, spans) in rows {
                let spans: Vec<SeatRange> =
                    spans.into_iter().map(|(from, more)| SeatRange { from, to: from + more }).collect();
                // Spans that overlap are no row.
                let _ = seating.add_row(row.parse().unwrap(), spans);
            }
            seating
        })
    }

    #[test]
    fn rows_go_from_the_front_and_seats_by_number() {
        let seating = seating(r#"{"10": [[1, 1]], "2": [[1, 2], [5, 5]], "A": [[3, 3]]}"#);
        let seats: Vec<String> = seating.seats().map(|(row, number)| format!("{row}-{number}")).collect();
        assert_eq!(seats, ["2-1", "2-2", "2-5", "10-1", "A-3"]);
        assert_eq!(SeatingJson::from(&seating).as_str(), r#"{"2":[[1,2],[5,5]],"10":[[1,1]],"A":[[3,3]]}"#);
        assert_eq!(SeatingJson::from(&seating).seating(), seating);
    }

    #[test]
    fn row_names_are_short_and_printable() {
        for (text, row) in [("1", "1"), (" B 2 ", "B 2"), ("шестнадцать букв", "шестнадцать букв")]
        {
            assert_eq!(text.parse::<RowName>().unwrap().as_str(), row);
        }
        for text in ["", "   ", "seventeen letters", "a\tb", "a\u{0}b"] {
            assert_eq!(text.parse::<RowName>(), Err(MalformedRowName), "{text:?}");
        }
    }

    #[test]
    fn spans_of_a_row_are_sorted_kept_and_do_not_overlap() {
        let row = || "1".parse::<RowName>().unwrap();
        let spans = |list: &[(u16, u16)]| list.iter().map(|pair| SeatRange::from(*pair)).collect::<Vec<_>>();
        let mut seating = Seating::default();
        assert_eq!(seating.add_row(row(), spans(&[(1, 5), (9, 9), (5, 7)])), Err(OverlappingSeats));
        assert_eq!(seating, Seating::default());
        seating.add_row(row(), spans(&[(6, 9), (1, 5)])).unwrap();
        assert_eq!(SeatingJson::from(&seating).as_str(), r#"{"1":[[1,5],[6,9]]}"#);
        assert_eq!(seating.count(), 9);
    }

    #[test]
    fn first_matching_seats_are_taken_from_the_front() {
        let hall = seating(r#"{"1": [[1, 6]], "2": [[1, 6]]}"#);
        let odd = |_: &RowName, number: u16| number % 2 == 1;
        assert_eq!(hall.take_first_matching(4, odd), seating(r#"{"1": [[1, 1], [3, 3], [5, 5]], "2": [[1, 1]]}"#));
        assert_eq!(hall.take_first_matching(8, |_, _| true), seating(r#"{"1": [[1, 6]], "2": [[1, 2]]}"#));
    }

    proptest! {
        #[test]
        fn seatings_follow_set_algebra(one in any_seating(), other in any_seating()) {
            let (ours, theirs) = (chairs(&one), chairs(&other));
            prop_assert_eq!(chairs(&one.difference(&other)), &ours - &theirs);
            prop_assert_eq!(chairs(&one.union(&other)), &ours | &theirs);
            let common = &ours & &theirs;
            let met = one.first_common_seat(&other).map(|(row, number)| (row.clone(), number));
            prop_assert_eq!(met.as_ref(), common.first());
            prop_assert_eq!(one.count(), i64::try_from(ours.len()).unwrap());
            prop_assert_eq!(one.difference(&one), Seating::default());
            for sum in [one.difference(&other), one.union(&other), one.take_first_matching(usize::MAX, |_, _| true)] {
                for (row, spans) in &sum.rows {
                    prop_assert!(Seating::default().add_row(row.clone(), spans.clone()).is_ok(), "{:?}", sum);
                    prop_assert!(!spans.is_empty());
                }
            }
        }
    }
}
