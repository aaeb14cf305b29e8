//! Where the marks of all rows stand: by this it is known whether what was read once is still so, and what is kept in
//! memory is never stale (see `Engine::record_reads`).
//!
//! Every row that a batch writes moves its marks (see [`kassa_domain::view::Mark`]) after the commit and before anybody is
//! answered. Whoever keeps what was read notes, before each read, where the marks of that read stand. As long as they
//! stand there, reading again would find the same:
//!
//! ```text
//! lane     load, decide, write | commit | move marks | note that this was applied | answer
//! reader   note marks | read | keep            later: ask who has written | compare marks | use what is kept
//! ```
//!
//! Other programs write the same database: `kassa admin`, or another server. Each batch moves the version of its writer's
//! row, so a look at these ([`kassa_store::Store::writer_versions`]) tells whether anything was committed that this program
//! has not applied: by somebody else, and then all marks move; or by a lane of its own that is about to move them, and then
//! nothing kept is used meanwhile.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

use kassa_domain::View;
use kassa_domain::safeguard::{self, Safeguard};
use kassa_domain::view::Mark;
use parking_lot::Mutex;

/// Slots that marks fall into: two marks in one only drop more than they had to. A power of two.
const SLOTS: usize = 1 << 17;

/// Where all marks stand.
pub(crate) struct MarkBoard {
    slots: Box<[AtomicU64]>,
    /// Moves with all of them.
    all: AtomicU64,
    writers: Mutex<Writers>,
}

/// The versions of the rows of writers, as far as their batches were applied.
#[derive(Default)]
struct Writers {
    /// Lanes of this program.
    own: HashMap<u16, i64>,
    /// Everybody else.
    others: HashMap<u16, i64>,
}

/// What a batch has written.
#[derive(Default)]
pub(crate) struct WrittenMarks {
    slots: Vec<usize>,
    /// Its writer's row, with the version that it has after the commit.
    writer: Option<(u16, i64)>,
}

impl WrittenMarks {
    /// What was changed in a view, by the writer of this number.
    pub(crate) fn of(view: &View, node: u16) -> Self {
        let mut slots = Vec::new();
        view.written_marks(&mut |mark| slots.push(slot_of(mark)));
        slots.sort_unstable();
        slots.dedup();
        let writer = (!slots.is_empty()).then(|| (node, view.nodes.version(node).unwrap_or(0) + 1));
        Self { slots, writer }
    }
}

/// The slot of a mark.
pub(crate) fn slot_of(mark: Mark) -> usize {
    // The upper bits of the hash are its best ones.
    (mark.number().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize % SLOTS
}

impl MarkBoard {
    pub(crate) fn new() -> Self {
        Self {
            slots: (0..SLOTS).map(|_| AtomicU64::new(0)).collect(),
            all: AtomicU64::new(0),
            writers: Mutex::default(),
        }
    }

    /// Moves the marks of a batch. Where it is not known whether it was committed, its writer's row is not noted: until a
    /// later batch is, nothing that is kept is used.
    pub(crate) fn apply(&self, written: &WrittenMarks, is_committed: bool) {
        for slot in &written.slots {
            self.slots[*slot].fetch_add(1, Ordering::AcqRel);
        }
        if let Some((node, version)) = written.writer.filter(|_| is_committed) {
            self.writers.lock().own.insert(node, version);
        }
    }

    /// A lane has lost its number: who writes under it is somebody else.
    pub(crate) fn forget_writer(&self, node: u16) {
        self.writers.lock().own.remove(&node);
    }

    /// Whether all that is committed was applied here, as rows of writers tell that were read just now. What others have
    /// written is applied by moving everything.
    pub(crate) fn has_applied(&self, versions: &[(u16, i64)]) -> bool {
        let mut writers = self.writers.lock();
        let Writers { own, others } = &mut *writers;
        let (mut is_applied, mut is_foreign) = (true, false);
        for (node, version) in versions {
            match own.get(node) {
                Some(applied) => is_applied &= version <= applied,
                None => is_foreign |= others.insert(*node, *version) != Some(*version),
            }
        }
        is_foreign &= safeguard::is_enabled(Safeguard::ForeignBatches);
        if is_foreign {
            self.all.fetch_add(1, Ordering::AcqRel);
        }
        is_applied && !is_foreign
    }

    /// Where the marks of a slot stand.
    pub(crate) fn stand(&self, slot: usize) -> u64 {
        self.slots[slot].load(Ordering::Acquire)
    }

    /// Where all of them stand that others have moved.
    pub(crate) fn stand_of_all(&self) -> u64 {
        self.all.load(Ordering::Acquire)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_have_written_moves_all_marks_once() {
        let board = MarkBoard::new();
        assert!(!board.has_applied(&[(7, 1)]), "nobody knows what they wrote before");
        let stand = board.stand_of_all();
        assert!(board.has_applied(&[(7, 1)]));
        assert_eq!(board.stand_of_all(), stand);
        assert!(!board.has_applied(&[(7, 2)]));
        assert!(board.stand_of_all() > stand);
    }

    #[test]
    fn between_its_commit_and_the_move_of_its_marks_nothing_is_used() {
        let (board, slot) = (MarkBoard::new(), 3);
        let written = |version| WrittenMarks { slots: vec![slot], writer: Some((1, version)) };
        board.apply(&written(1), true);
        let stand = board.stand(slot);
        assert!(
            board.has_applied(&[(1, 1)]) && !board.has_applied(&[(1, 2)]),
            "a lane of this program is about to move them"
        );
        board.apply(&written(2), false);
        assert!(board.stand(slot) > stand && !board.has_applied(&[(1, 2)]), "nobody knows whether that was committed");
        board.apply(&written(3), true);
        assert!(board.has_applied(&[(1, 3)]) && board.has_applied(&[(1, 2)]), "what was asked before is older");
        board.forget_writer(1);
        assert!(!board.has_applied(&[(1, 4)]) && board.has_applied(&[(1, 4)]), "now it is somebody else");
    }
}
