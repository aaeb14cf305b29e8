//! The changes that the commands of a batch have stated.

use crate::model::change::Change;

/// The changes that the commands of a batch have stated. Like those of rows, a refusal takes back what the command had
/// stated.
#[derive(Debug, Default)]
pub struct StatedChanges {
    changes: Vec<Change>,
    /// How many are part of the batch.
    accepted: usize,
}

impl StatedChanges {
    pub(crate) fn push(&mut self, change: Change) {
        self.changes.push(change);
    }

    /// Those that are part of the batch.
    pub fn accepted(&self) -> &[Change] {
        &self.changes[..self.accepted]
    }

    /// Those that are not part of the batch yet.
    pub fn pending(&self) -> &[Change] {
        &self.changes[self.accepted..]
    }

    /// Takes those out that are part of the batch.
    pub fn take_accepted(&mut self) -> Vec<Change> {
        let pending = self.changes.split_off(self.accepted);
        self.accepted = 0;
        std::mem::replace(&mut self.changes, pending)
    }

    pub(super) fn accept(&mut self) {
        self.accepted = self.changes.len();
    }

    pub(super) fn roll_back(&mut self) {
        self.changes.truncate(self.accepted);
    }
}
