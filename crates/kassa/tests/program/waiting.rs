//! Waiting for what shall become true: never for a time, always for a condition, up to a deadline.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How long anything may take that the program does soon, on a machine that is busy.
pub(crate) const WAIT_TIMEOUT: Duration = Duration::from_mins(1);
/// How often it is looked at.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

#[expect(clippy::disallowed_methods, reason = "a test of the whole program waits by the real clock")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// What a clock on the wall shows.
#[expect(clippy::disallowed_methods, reason = "a test of the whole program has the clock of its server")]
pub(crate) fn time_of_day() -> jiff::Timestamp {
    jiff::Timestamp::now()
}

/// Looks until there is something, and gives it.
#[track_caller]
pub(crate) fn wait_for<T>(what: &str, look: impl FnMut() -> Option<T>) -> T {
    wait_for_within(WAIT_TIMEOUT, what, look)
}

/// Looks until there is something or `limit` has passed.
#[track_caller]
pub(crate) fn wait_for_within<T>(limit: Duration, what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < limit, "not within {limit:?}: {what}");
        thread::sleep(POLL_INTERVAL);
    }
}

/// Sees that something stays true for a time.
#[track_caller]
pub(crate) fn assert_stays(what: &str, time: Duration, is_true: impl Fn() -> bool) {
    let start = now();
    while start.elapsed() < time {
        assert!(is_true(), "not so for {time:?}: {what}");
        thread::sleep(POLL_INTERVAL);
    }
}

/// Sets a flag when it goes out of scope, also if the test fails: threads that run until the flag is set then end.
pub(crate) struct SetOnDrop<'a>(pub(crate) &'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
