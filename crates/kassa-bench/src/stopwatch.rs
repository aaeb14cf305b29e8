//! The time that measuring takes its figures from.

use std::time::Instant;

/// Now.
#[expect(clippy::disallowed_methods, reason = "what is measured is the time that really passes")]
pub(crate) fn now() -> Instant {
    Instant::now()
}
