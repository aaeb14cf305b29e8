//! Points and spans of time. Nothing here asks a clock.

use serde::{Deserialize, Serialize};

/// A minute in milliseconds.
pub(crate) const MINUTE_MS: i64 = 60_000;
/// An hour in milliseconds.
pub(crate) const HOUR_MS: i64 = 60 * MINUTE_MS;
/// A day in milliseconds.
pub(crate) const DAY_MS: i64 = 24 * HOUR_MS;

/// Milliseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Timestamp(i64);

impl Timestamp {
    /// From milliseconds since 1970.
    pub const fn from_ms(ms: i64) -> Self {
        Self(ms)
    }

    /// Milliseconds since 1970.
    pub const fn ms(self) -> i64 {
        self.0
    }

    /// The moment `minutes` later.
    #[must_use]
    pub const fn plus_minutes(self, minutes: u32) -> Self {
        Self(self.0 + minutes as i64 * 60_000)
    }

    /// The start of the second in which it lies.
    #[must_use]
    pub const fn whole_second(self) -> Self {
        Self(self.0 - self.0.rem_euclid(1000))
    }

    /// The moment `ms` milliseconds later, or earlier when negative.
    #[must_use]
    pub const fn plus_ms(self, ms: i64) -> Self {
        Self(self.0 + ms)
    }
}

/// From `start` on, until just before `finish`; without `finish`, for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    /// The first moment inside.
    pub start: Timestamp,
    /// The first moment after.
    pub finish: Option<Timestamp>,
}

impl Window {
    /// Whether `at` lies inside.
    pub fn contains(&self, at: Timestamp) -> bool {
        self.start <= at && !self.has_ended_at(at)
    }

    /// Names the moments from which on something lies inside or outside that did not before.
    pub fn moments(&self, note: &mut dyn FnMut(Timestamp)) {
        note(self.start);
        self.finish.iter().for_each(|finish| note(*finish));
    }

    /// Whether it is over at `at`.
    pub fn has_ended_at(&self, at: Timestamp) -> bool {
        self.finish.is_some_and(|finish| finish <= at)
    }

    /// Whether some moment lies in both.
    pub fn overlaps(&self, other: &Self) -> bool {
        !self.has_ended_at(other.start) && !other.has_ended_at(self.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(start: i64, finish: Option<i64>) -> Window {
        Window { start: Timestamp(start), finish: finish.map(Timestamp) }
    }

    #[test]
    fn windows_that_touch_do_not_overlap() {
        assert!(!window(0, Some(10)).overlaps(&window(10, Some(20))));
        assert!(window(0, Some(11)).overlaps(&window(10, Some(20))));
        assert!(window(0, None).overlaps(&window(10, Some(20))));
        assert!(!window(20, None).overlaps(&window(10, Some(20))));
    }

    #[test]
    fn the_finish_is_outside() {
        assert!(window(0, Some(10)).contains(Timestamp(9)));
        assert!(!window(0, Some(10)).contains(Timestamp(10)));
    }
}
