//! The state of a lane, for other threads.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

/// Instead of a number.
const NO_NUMBER: u32 = u32::MAX;

pub(crate) struct LaneState {
    number: AtomicU32,
    /// Whether its last transaction found the database unavailable, or does not end.
    is_stalled: AtomicBool,
    /// Begins and ends of batches: odd while one runs.
    steps: AtomicU64,
}

/// A new lane has no number yet.
impl Default for LaneState {
    fn default() -> Self {
        Self { number: AtomicU32::new(NO_NUMBER), is_stalled: AtomicBool::default(), steps: AtomicU64::default() }
    }
}

impl LaneState {
    /// The number that it has claimed, while it has one.
    pub(crate) fn number(&self) -> Option<u16> {
        u16::try_from(self.number.load(Ordering::Acquire)).ok()
    }

    pub(super) fn has_number(&self) -> bool {
        self.number().is_some()
    }

    pub(super) fn set_number(&self, number: Option<u16>) {
        self.number.store(number.map_or(NO_NUMBER, u32::from), Ordering::Release);
    }

    pub(super) fn set_stalled(&self, is_stalled: bool) {
        self.is_stalled.store(is_stalled, Ordering::Release);
    }

    /// A batch begins, or ends.
    pub(super) fn record_step(&self) {
        self.steps.fetch_add(1, Ordering::Relaxed);
    }

    /// How many batches it has begun and ended, together.
    pub(crate) fn steps(&self) -> u64 {
        self.steps.load(Ordering::Relaxed)
    }

    /// How many steps it has made; `None` while it has nothing to do, or waits for a database and says so.
    pub(crate) fn steps_under_way(&self) -> Option<u64> {
        let steps = self.steps();
        (steps % 2 == 1 && self.can_write()).then_some(steps)
    }

    /// Whether it can write, as far as is known.
    pub(crate) fn can_write(&self) -> bool {
        self.has_number() && !self.is_stalled.load(Ordering::Acquire)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_lane_in_the_middle_of_a_batch_can_be_stuck() {
        let state = LaneState::default();
        state.set_number(Some(1));
        assert_eq!(state.steps_under_way(), None, "it has nothing to do");
        state.record_step();
        assert_eq!(state.steps_under_way(), Some(1));
        state.set_stalled(true);
        assert_eq!(state.steps_under_way(), None, "it waits for the database");
        state.set_stalled(false);
        state.record_step();
        assert_eq!(state.steps_under_way(), None);
        state.record_step();
        assert_eq!(state.steps_under_way(), Some(3), "another one");
    }
}
