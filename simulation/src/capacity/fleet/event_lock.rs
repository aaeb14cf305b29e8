//! The lock of an event's rows: whoever sells it holds it until its commit.

use std::collections::VecDeque;

/// Held by one lane at a time; the others wait in the order in which they came.
#[derive(Default)]
pub(super) struct EventLock {
    holder: Option<(usize, u64)>,
    waiting: VecDeque<(usize, u32)>,
    held_us: u64,
}

impl EventLock {
    /// Takes it, or waits for it. Whether it was taken.
    pub(super) fn take(&mut self, lane: usize, generation: u32, now: u64) -> bool {
        if self.holder.is_some() {
            self.waiting.push_back((lane, generation));
            return false;
        }
        self.holder = Some((lane, now));
        true
    }

    pub(super) fn is_held_by(&self, lane: usize) -> bool {
        self.holder.is_some_and(|(holder, _)| holder == lane)
    }

    /// Gives it to the first that still waits: which lane, and of which generation.
    pub(super) fn pass_on(&mut self, now: u64, waits: impl Fn(usize, u32) -> bool) -> Option<(usize, u32)> {
        if let Some((_, since)) = self.holder.take() {
            self.held_us += now - since;
        }
        while let Some((lane, generation)) = self.waiting.pop_front() {
            if waits(lane, generation) {
                self.holder = Some((lane, now));
                return Some((lane, generation));
            }
        }
        None
    }

    /// For how long it was held so far.
    pub(super) fn held_us(&self, now: u64) -> u64 {
        self.held_us + self.holder.map_or(0, |(_, since)| now.saturating_sub(since))
    }
}

#[cfg(test)]
mod tests {
    use super::EventLock;

    #[test]
    fn the_first_that_still_waits_is_next() {
        let mut lock = EventLock::default();
        assert!(lock.take(1, 0, 10));
        assert!(!lock.take(2, 0, 11));
        assert!(!lock.take(3, 0, 12));
        assert_eq!(lock.pass_on(20, |lane, _| lane != 2), Some((3, 0)));
        assert!(lock.is_held_by(3));
        assert_eq!(lock.pass_on(25, |_, _| true), None);
        assert_eq!(lock.held_us(99), 15);
    }
}
