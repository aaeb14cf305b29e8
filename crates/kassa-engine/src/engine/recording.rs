//! What a piece of work has read, and whether reading again would find the same: see [`crate::mark_board`].

use std::cell::RefCell;

use kassa_domain::safeguard::{self, Safeguard};
use kassa_domain::view::Mark;
use kassa_domain::{ReadSet, Timestamp};

use super::Engine;
use crate::mark_board::{MarkBoard, slot_of};

/// The most marks of a read that is kept.
const MARKS_MAX: usize = 4_096;

/// Where the marks of some reads stood before they were read.
#[derive(Debug)]
pub struct ReadMarks {
    all: u64,
    stands: Box<[(usize, u64)]>,
    /// From when until when they say the same if nobody writes.
    holds: (Timestamp, Option<Timestamp>),
}

impl ReadMarks {
    /// What they take in memory, in bytes.
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.stands)
    }
}

/// What is noted of a piece of work.
struct Recording {
    all: u64,
    stands: Vec<(usize, u64)>,
    begun_at: Timestamp,
    until: Option<Timestamp>,
}

tokio::task_local! {
    static RECORDING: RefCell<Recording>;
}

impl Engine {
    /// Does some work that reads rows, and tells what it was made of; `None` of what is made of too much. What the work
    /// reads in other tasks is not noted: it must not.
    pub async fn record_reads<T>(&self, work: impl Future<Output = T>) -> (T, Option<ReadMarks>) {
        let begun_at = self.now();
        let all = self.inner.shared.marks.stand_of_all();
        let recording = Recording { all, stands: Vec::new(), begun_at, until: None };
        let scope = async {
            let done = work.await;
            (done, RECORDING.with(|recording| recording.borrow_mut().finish()))
        };
        RECORDING.scope(RefCell::new(recording), scope).await
    }

    /// Whether what was read can be kept at all. Where rows are on several servers, the row of a writer may be seen before the rest
    /// of what it has committed.
    pub fn can_keep_reads(&self) -> bool {
        !self.inner.store.is_spread()
    }

    /// Whether reading again would find the same: everything that was committed before this was asked is looked at.
    pub async fn is_current(&self, marks: &ReadMarks) -> bool {
        if !safeguard::is_enabled(Safeguard::CurrentAnswers) {
            return true;
        }
        if !self.can_keep_reads() {
            return false;
        }
        let (now, board) = (self.now(), &self.inner.shared.marks);
        let (from, until) = marks.holds;
        if now < from || until.is_some_and(|until| until <= now) {
            return false;
        }
        match self.inner.store.writer_versions().await {
            Ok(versions) => {
                board.has_applied(&versions)
                    && marks.all == board.stand_of_all()
                    && marks.stands.iter().all(|(slot, stand)| board.stand(*slot) == *stand)
            }
            // Whoever reads hears of it.
            Err(_) => false,
        }
    }

    /// Notes what is about to be read by a recorded piece of work.
    pub(super) fn note_read_set(&self, read_set: &ReadSet) {
        self.note(|recording, board| read_set.marks(&mut |mark| recording.note(board, mark)));
    }

    /// The same of a list.
    pub(super) fn note_list(&self) {
        self.note(|recording, board| recording.note(board, Mark::LISTS));
    }

    fn note(&self, note: impl FnOnce(&mut Recording, &MarkBoard)) {
        // Nothing is noted outside of such work.
        let _ = RECORDING.try_with(|recording| note(&mut recording.borrow_mut(), &self.inner.shared.marks));
    }

    /// Notes until when what was read says the same.
    pub(super) fn note_moments(moments: impl FnOnce(&mut dyn FnMut(Timestamp))) {
        let note = |recording: &mut Recording| {
            moments(&mut |moment| {
                if moment > recording.begun_at && recording.until.is_none_or(|until| moment < until) {
                    recording.until = Some(moment);
                }
            });
        };
        let _ = RECORDING.try_with(|recording| note(&mut recording.borrow_mut()));
    }
}

impl Recording {
    fn note(&mut self, board: &MarkBoard, mark: Mark) {
        if self.stands.len() <= MARKS_MAX {
            let slot = slot_of(mark);
            self.stands.push((slot, board.stand(slot)));
        }
    }

    /// Work that has read nothing is made of something else.
    fn finish(&mut self) -> Option<ReadMarks> {
        let mut stands = std::mem::take(&mut self.stands);
        let is_kept = (1..=MARKS_MAX).contains(&stands.len());
        stands.sort_unstable();
        stands.dedup();
        is_kept.then(|| ReadMarks { all: self.all, stands: stands.into(), holds: (self.begun_at, self.until) })
    }
}
