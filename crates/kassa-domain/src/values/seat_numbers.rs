//! Numbers of seats as bits: a hall's worth of them is looked through in microseconds.

use std::fmt;

use super::seating::SeatRange;

/// Some numbers of seats in one row.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct SeatNumbers {
    /// 64 numbers each, from 0 on; the last one is not 0.
    words: Vec<u64>,
}

/// The word of a number, and its bit there.
fn word_and_bit(number: u16) -> (usize, u64) {
    (usize::from(number / 64), 1 << (number % 64))
}

impl SeatNumbers {
    /// As [`SeatNumbers::to_bytes`] wrote them.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let word = |chunk: &[u8]| chunk.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        let mut numbers = Self { words: bytes.chunks(8).map(word).collect() };
        numbers.trim();
        numbers
    }

    /// A bit for each number from 0 on, eight to a byte, the lowest first.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// Whether a number is among them.
    pub fn contains(&self, number: u16) -> bool {
        let (at, bit) = word_and_bit(number);
        self.words.get(at).is_some_and(|word| word & bit != 0)
    }

    /// Adds a number.
    pub fn insert(&mut self, number: u16) {
        let (at, bit) = word_and_bit(number);
        if self.words.len() <= at {
            self.words.resize(at + 1, 0);
        }
        self.words[at] |= bit;
    }

    /// Takes a number away.
    pub fn remove(&mut self, number: u16) {
        let (at, bit) = word_and_bit(number);
        if let Some(word) = self.words.get_mut(at) {
            *word &= !bit;
        }
        self.trim();
    }

    /// Takes others away.
    pub fn remove_all(&mut self, others: &Self) {
        for (word, other) in self.words.iter_mut().zip(&others.words) {
            *word &= !other;
        }
        self.trim();
    }

    /// Adds others.
    pub fn insert_all(&mut self, others: impl IntoIterator<Item = u16>) {
        others.into_iter().for_each(|number| self.insert(number));
    }

    fn trim(&mut self) {
        let used = self.words.iter().rposition(|word| *word != 0).map_or(0, |last| last + 1);
        self.words.truncate(used);
    }

    /// How many they are.
    pub fn count(&self) -> u32 {
        self.words.iter().map(|word| word.count_ones()).sum()
    }

    /// Neighbours, as long as they go, from the lowest on.
    pub fn runs(&self) -> impl Iterator<Item = SeatRange> {
        let mut from = 0;
        std::iter::from_fn(move || {
            let first = self.next_present(from)?;
            from = self.next_absent(first);
            Some(SeatRange { from: u16::try_from(first).ok()?, to: u16::try_from(from - 1).ok()? })
        })
    }

    /// How many of them are neighbours of each other at most.
    pub fn longest_run(&self) -> u32 {
        self.runs().map(SeatRange::count).max().unwrap_or(0)
    }

    /// All of them, from the lowest on.
    pub fn iter(&self) -> impl Iterator<Item = u16> {
        self.runs().flat_map(|run| run.from..=run.to)
    }

    /// The first number from `from` on that is among them.
    fn next_present(&self, from: usize) -> Option<usize> {
        let mut at = from / 64;
        let mut word = self.words.get(at)? & (u64::MAX << (from % 64));
        while word == 0 {
            at += 1;
            word = *self.words.get(at)?;
        }
        Some(at * 64 + word.trailing_zeros() as usize)
    }

    /// The first number from `from` on that is not.
    fn next_absent(&self, from: usize) -> usize {
        let mut at = from / 64;
        let mut gaps = self.words.get(at).map_or(u64::MAX, |word| !word) & (u64::MAX << (from % 64));
        while gaps == 0 {
            at += 1;
            gaps = self.words.get(at).map_or(u64::MAX, |word| !word);
        }
        at * 64 + gaps.trailing_zeros() as usize
    }
}

impl FromIterator<u16> for SeatNumbers {
    fn from_iter<I: IntoIterator<Item = u16>>(numbers: I) -> Self {
        let mut all = Self::default();
        all.insert_all(numbers);
        all
    }
}

impl fmt::Debug for SeatNumbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.runs().map(|run| (run.from, run.to))).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::values::seating::SEAT_MAX;

    fn some() -> impl Strategy<Value = BTreeSet<u16>> {
        let near = prop::collection::btree_set(50..200_u16, 0..120);
        prop_oneof![near, prop::collection::btree_set(0..=SEAT_MAX, 0..20)]
    }

    /// Neighbours one by one, as a reader would find them.
    fn plain_runs(numbers: &BTreeSet<u16>) -> Vec<(u16, u16)> {
        let mut runs: Vec<(u16, u16)> = Vec::new();
        for number in numbers {
            match runs.last_mut() {
                Some(last) if last.1 + 1 == *number => last.1 = *number,
                Some(_) | None => runs.push((*number, *number)),
            }
        }
        runs
    }

    proptest! {
        #[test]
        fn numbers_are_a_set(one in some(), other in some()) {
            let mut numbers: SeatNumbers = one.iter().copied().collect();
            prop_assert_eq!(numbers.runs().map(<(u16, u16)>::from).collect::<Vec<_>>(), plain_runs(&one));
            prop_assert!(numbers.iter().eq(one.iter().copied()));
            prop_assert_eq!(numbers.count() as usize, one.len());
            let longest = plain_runs(&one).iter().map(|(from, to)| u32::from(to - from) + 1).max();
            prop_assert_eq!(numbers.longest_run(), longest.unwrap_or(0));
            prop_assert_eq!(&SeatNumbers::from_bytes(&numbers.to_bytes()), &numbers);
            let mut left = numbers.clone();
            left.remove_all(&other.iter().copied().collect());
            for number in &other {
                numbers.remove(*number);
            }
            prop_assert_eq!(&left, &numbers, "the same numbers are the same value");
            prop_assert!(numbers.iter().eq(one.difference(&other).copied()));
            prop_assert!(other.iter().all(|number| !numbers.contains(*number)));
        }
    }
}
