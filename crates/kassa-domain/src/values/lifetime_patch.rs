//! A partial update of when something holds.

use super::patch::Patch;
use super::time::{Timestamp, Window};

/// A partial update of a lifetime; what that of a new promocode is made of, too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LifetimePatch {
    /// From when.
    pub start: Patch<Timestamp>,
    /// Until when.
    pub finish: Patch<Timestamp>,
}

impl LifetimePatch {
    /// The lifetime that it makes of another, in whole seconds, as its iCalendar form shows it. One
    /// that has an end but no start begins when its promocode was made; of one that would end before
    /// it starts nothing is left.
    pub(crate) fn apply_to(self, lifetime: Option<Window>, made_at: Timestamp) -> Option<Window> {
        let (mut start, mut finish) = (lifetime.map(|window| window.start), lifetime.and_then(|window| window.finish));
        self.start.apply(&mut start);
        self.finish.apply(&mut finish);
        if start.is_none() && finish.is_none() {
            return None;
        }
        let start = start.unwrap_or(made_at).whole_second();
        Some(Window { start, finish: finish.map(|finish| finish.whole_second().max(start)) })
    }
}
