//! The guards of a thread, and how tests take one away.

use std::cell::Cell;
use std::marker::PhantomData;

use super::Safeguard;

thread_local! {
    static DISABLED: Cell<Option<Safeguard>> = const { Cell::new(None) };
}

/// Whether a guard is there: always, unless a test of this thread has taken it away.
#[must_use]
pub fn is_enabled(guard: Safeguard) -> bool {
    DISABLED.get() != Some(guard)
}

/// As long as this is kept, its thread is without a guard.
pub struct DisabledSafeguard(PhantomData<*const ()>);

impl DisabledSafeguard {
    /// Takes a guard away, and nothing else.
    #[must_use]
    pub fn new(guard: Safeguard) -> Self {
        DISABLED.set(Some(guard));
        Self(PhantomData)
    }
}

impl Drop for DisabledSafeguard {
    fn drop(&mut self) {
        DISABLED.set(None);
    }
}
