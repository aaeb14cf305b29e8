//! What a server knows of the feed: its last place, and the newest batches as they were decided. Many readers wait for
//! the same batches; few of them need the database.

use std::collections::VecDeque;
use std::sync::Arc;

use kassa_domain::Timestamp;
use kassa_domain::change::{BatchId, Change, ChangeBatch};
use parking_lot::Mutex;
use tokio::sync::{Notify, watch};

/// How much of the feed is kept, in bytes, about.
const HUB_BYTES_MAX: usize = 16 * 1024 * 1024;
/// What a change takes in memory, about, with its facts.
const CHANGE_BYTES: usize = 640;
/// What a batch takes besides its changes.
const BATCH_BYTES: usize = 128;

/// A batch of changes at its place in the feed. Clones share the changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedBatch {
    /// Its place, from 1 on.
    pub place: i64,
    /// Its name: who wrote it.
    pub id: BatchId,
    /// When it was decided.
    pub committed_at: Timestamp,
    /// What was stated in it, in turn.
    pub changes: Arc<[Change]>,
}

impl PlacedBatch {
    /// `None` for a batch without a place.
    pub fn new(batch: &ChangeBatch) -> Option<Self> {
        let ChangeBatch { id, place, committed_at, changes } = batch;
        place.map(|place| Self { place, id: *id, committed_at: *committed_at, changes: Arc::clone(changes) })
    }

    fn bytes(&self) -> usize {
        BATCH_BYTES + self.changes.len() * CHANGE_BYTES
    }
}

/// The newest batches of the feed, and who waits for more.
pub(crate) struct FeedHub {
    kept: Mutex<KeptBatches>,
    last: watch::Sender<i64>,
    /// Signals that somebody has begun to wait.
    pub(crate) joined: Notify,
}

/// Batches whose places follow each other.
#[derive(Default)]
struct KeptBatches {
    batches: VecDeque<PlacedBatch>,
    bytes: usize,
}

impl FeedHub {
    pub(crate) fn new() -> Self {
        Self { kept: Mutex::default(), last: watch::Sender::new(0), joined: Notify::new() }
    }

    /// Takes batches that were committed, by their places.
    pub(crate) fn publish(&self, batches: impl IntoIterator<Item = PlacedBatch>) {
        let mut kept = self.kept.lock();
        for batch in batches {
            kept.push(batch);
        }
        if let Some(newest) = kept.batches.back() {
            let place = newest.place;
            // Under the lock: places are told in their order.
            self.last.send_if_modified(|last| {
                let is_new = *last < place;
                *last = place.max(*last);
                is_new
            });
        }
    }

    /// The last place that is known.
    pub(crate) fn last_place(&self) -> i64 {
        *self.last.borrow()
    }

    pub(crate) fn watch(&self) -> watch::Receiver<i64> {
        let receiver = self.last.subscribe();
        self.joined.notify_one();
        receiver
    }

    /// Whether anybody waits.
    pub(crate) fn is_watched(&self) -> bool {
        self.last.receiver_count() > 0
    }

    /// The batches from a place on, at most so many; `None` where that place is not kept.
    pub(crate) fn kept_from(&self, place: i64, limit: usize) -> Option<Vec<PlacedBatch>> {
        let kept = self.kept.lock();
        let at = usize::try_from(place - kept.batches.front()?.place).ok()?;
        (at < kept.batches.len()).then(|| kept.batches.range(at..).take(limit).cloned().collect())
    }

    /// The batch at a place, if it is kept.
    pub(crate) fn at_place(&self, place: i64) -> Option<PlacedBatch> {
        let kept = self.kept.lock();
        let at = usize::try_from(place - kept.batches.front()?.place).ok()?;
        kept.batches.get(at).cloned()
    }
}

impl KeptBatches {
    /// Behind a gap, only what follows it is kept: readers find the rest in the database.
    fn push(&mut self, batch: PlacedBatch) {
        match self.batches.back().map(|newest| newest.place) {
            Some(newest) if batch.place <= newest => return,
            Some(newest) if batch.place != newest + 1 => *self = Self::default(),
            _ => {}
        }
        self.bytes += batch.bytes();
        self.batches.push_back(batch);
        while self.bytes > HUB_BYTES_MAX && self.batches.len() > 1 {
            self.bytes -= self.batches.pop_front().map_or(0, |oldest| oldest.bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(place: i64) -> PlacedBatch {
        let id = BatchId { node: 1, epoch: 1, number: place };
        PlacedBatch { place, id, committed_at: Timestamp::from_ms(place), changes: Arc::new([]) }
    }

    fn places(batches: Option<Vec<PlacedBatch>>) -> Option<Vec<i64>> {
        batches.map(|batches| batches.iter().map(|batch| batch.place).collect())
    }

    #[test]
    fn what_follows_is_kept_and_told_once() {
        let hub = FeedHub::new();
        let mut watch = hub.watch();
        hub.publish([batch(4), batch(5)]);
        hub.publish([batch(5), batch(6)]);
        assert_eq!((hub.last_place(), *watch.borrow_and_update()), (6, 6));
        assert_eq!(places(hub.kept_from(5, 9)), Some(vec![5, 6]));
        assert_eq!(places(hub.kept_from(4, 1)), Some(vec![4]));
        assert_eq!((hub.kept_from(3, 9), hub.kept_from(7, 9), hub.at_place(3)), (None, None, None));
        hub.publish([batch(6)]);
        assert!(!watch.has_changed().unwrap(), "nothing new");
    }

    #[test]
    fn behind_a_gap_what_came_before_it_is_forgotten() {
        let hub = FeedHub::new();
        hub.publish([batch(1), batch(2), batch(9)]);
        assert_eq!(hub.kept_from(2, 9), None);
        assert_eq!((places(hub.kept_from(9, 9)), hub.last_place()), (Some(vec![9]), 9));
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let hub = FeedHub::new();
        let most = HUB_BYTES_MAX / BATCH_BYTES;
        hub.publish((1..=2 * i64::try_from(most).unwrap()).map(batch));
        assert_eq!(hub.kept.lock().batches.len(), most);
    }
}
