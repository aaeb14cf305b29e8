//! Partners and users that may not act.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::values::time::Timestamp;

/// The operator's stop of a partner or a user, until it is restored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suspension {
    /// Since when.
    pub since: Timestamp,
    /// The operator's note.
    pub reason: Option<String>,
}

impl Suspension {
    /// Begins a suspension at `now`, or gives the one that there is another note.
    pub(crate) fn renewed(before: Option<&Self>, reason: Option<String>, now: Timestamp) -> Self {
        Self { since: before.map_or(now, |suspension| suspension.since), reason }
    }
}

/// Why a partner may not act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inactivity {
    /// The operator has suspended it.
    Suspended,
    /// It was removed.
    Removed,
}

impl fmt::Display for Inactivity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Suspended => "suspended",
            Self::Removed => "removed",
        })
    }
}
