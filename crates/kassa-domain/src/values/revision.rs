//! How often a row was changed.

use serde::{Deserialize, Serialize};

use super::batch_id::BatchId;

/// How often a row was changed, and the batch in which it last was: the head of the row's chain through the log of
/// changes. A row that was not stated yet has revision 0. Of two revisions of a row, the later one is larger.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Revision {
    number: i64,
    changed_in: Option<BatchId>,
}

impl Revision {
    /// As a database has it; for drivers.
    pub const fn stored(number: i64, changed_in: Option<BatchId>) -> Self {
        Self { number, changed_in }
    }

    /// How many changes were stated: what entity tags and the `version` of a change show.
    pub const fn number(self) -> i64 {
        self.number
    }

    /// The batch that has the last of them; `None` for rows that were last changed before there was a log.
    pub const fn changed_in(self) -> Option<BatchId> {
        self.changed_in
    }

    /// Counts a change that `batch` states.
    pub(crate) fn advance(&mut self, batch: BatchId) {
        self.number += 1;
        self.changed_in = Some(batch);
    }
}
