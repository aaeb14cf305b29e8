//! Waiting for what shall become true: never for a time, always for a condition, up to a deadline.

use std::thread;
use std::time::{Duration, Instant};

/// How long anything may take that the program does soon, on a machine that is busy.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);
/// How often it is looked at.
const STEP: Duration = Duration::from_millis(5);

#[expect(clippy::disallowed_methods, reason = "a test of the whole program waits by the real clock")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// Looks until there is something, and gives it.
#[track_caller]
pub(crate) fn soon<T>(what: &str, look: impl FnMut() -> Option<T>) -> T {
    within(PATIENCE, what, look)
}

/// Looks until there is something or `limit` has passed.
#[track_caller]
pub(crate) fn within<T>(limit: Duration, what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < limit, "not within {limit:?}: {what}");
        thread::sleep(STEP);
    }
}

/// Sees that something stays true for a time.
#[track_caller]
pub(crate) fn stays(what: &str, time: Duration, is_true: impl Fn() -> bool) {
    let start = now();
    while start.elapsed() < time {
        assert!(is_true(), "not so for {time:?}: {what}");
        thread::sleep(STEP);
    }
}
