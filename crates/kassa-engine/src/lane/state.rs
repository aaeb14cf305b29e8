//! The state of a lane, for other threads.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Instead of a number.
const NO_NUMBER: u32 = u32::MAX;

pub(crate) struct LaneState {
    number: AtomicU32,
    /// Whether its last transaction found the database unavailable, or does not end.
    is_stalled: AtomicBool,
}

/// A new lane has no number yet.
impl Default for LaneState {
    fn default() -> Self {
        Self { number: AtomicU32::new(NO_NUMBER), is_stalled: AtomicBool::default() }
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

    /// Whether it can write, as far as is known.
    pub(crate) fn can_write(&self) -> bool {
        self.has_number() && !self.is_stalled.load(Ordering::Acquire)
    }
}
