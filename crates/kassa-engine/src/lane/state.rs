//! The state of a lane, for other threads.

use std::sync::atomic::{AtomicBool, Ordering};

/// A new lane has no number yet.
#[derive(Default)]
pub(crate) struct LaneState {
    has_number: AtomicBool,
    /// Whether its last transaction found the database unavailable, or does not end.
    is_stalled: AtomicBool,
}

impl LaneState {
    pub(super) fn has_number(&self) -> bool {
        self.has_number.load(Ordering::Acquire)
    }

    pub(super) fn set_number(&self, has_number: bool) {
        self.has_number.store(has_number, Ordering::Release);
    }

    pub(super) fn set_stalled(&self, is_stalled: bool) {
        self.is_stalled.store(is_stalled, Ordering::Release);
    }

    /// Whether it can write, as far as is known.
    pub(crate) fn can_write(&self) -> bool {
        self.has_number() && !self.is_stalled.load(Ordering::Acquire)
    }
}
