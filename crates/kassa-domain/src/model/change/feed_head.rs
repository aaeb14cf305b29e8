//! How far the feed goes, and who prolongs it.

use super::ChangeBatch;
use super::audience::AudienceEntry;
use crate::model::row::{Row, RowKey};
use crate::values::time::Timestamp;

/// How long the feed is prolonged by one writer only, if that writes nothing more, in milliseconds. Nothing new can be read
/// for as long when it dies. It is no more than a matter of speed: that a batch has one place follows from its own row.
pub const SEQUENCER_LEASE_MS: i64 = 1_000;

/// So many entries of the feed's index wait in its head until they are written, together: an index takes few pages where many
/// entries come to one place, and as many where each comes by itself.
pub const WAITING_ENTRIES_MAX: usize = 64;

/// The feeds that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FeedName {
    /// The changes of all rows.
    Changes,
}

/// How far the feed goes: its places are dense, from the oldest that is kept to the last.
///
/// Where several writers commit side by side, one of them at a time gives places: the sequencer. Whoever finds batches
/// without a place may be it as soon as the lease of the one before has ended. Its row is locked by each batch that
/// gives places, so that a place that can be seen stands behind all before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedHead {
    /// Of which feed.
    pub name: FeedName,
    /// The place of the newest batch; 0 before the first.
    pub last_place: i64,
    /// The first place that is kept: one more than the last where none is.
    pub oldest_place: i64,
    /// When the newest batch that is not kept any more was decided.
    pub purged_until: Timestamp,
    /// Who has given the last place, where not each batch takes its own.
    pub sequencer: Option<SequencerClaim>,
    /// Entries of the newest batches that are not in the index yet, by place. Whoever reads the index has read the head before.
    pub waiting: Vec<AudienceEntry>,
}

/// Who gives places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SequencerClaim {
    /// The number of the writer.
    pub node: u16,
    /// The claim under which it writes.
    pub epoch: i64,
    /// Until when nobody else gives places.
    pub lease_till: Timestamp,
}

impl FeedHead {
    /// A feed without a place.
    pub fn new(name: FeedName) -> Self {
        Self {
            name,
            last_place: 0,
            oldest_place: 1,
            purged_until: Timestamp::from_ms(0),
            sequencer: None,
            waiting: Vec::new(),
        }
    }

    /// Gives a batch the next place, and notes the entries by which those who may see its changes find it.
    #[must_use]
    pub fn place(&mut self, batch: ChangeBatch) -> ChangeBatch {
        self.last_place += 1;
        let place = self.last_place;
        self.waiting.extend(batch.audiences().into_iter().map(|audience| AudienceEntry { audience, place }));
        ChangeBatch { place: Some(place), ..batch }
    }

    /// Whether so many entries wait that they are worth their pages.
    pub fn has_many_waiting(&self) -> bool {
        self.waiting.len() >= WAITING_ENTRIES_MAX
    }
}

impl RowKey for FeedName {}

impl Row for FeedHead {
    type Key = FeedName;

    fn key(&self) -> FeedName {
        self.name
    }
}
