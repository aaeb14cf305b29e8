//! The end of what the feed keeps.

use crate::context::Context;
use crate::context::command::{Command, LIGHT_WEIGHT};
use crate::model::change::{AudienceKey, ChangeBatch, FeedName};
use crate::refusal::Refusal;
use crate::values::batch_id::BatchId;
use crate::values::id::ShardTag;
use crate::view::{ReadSet, View};

/// Removes the oldest batches of the feed, with the entries of those who see them.
#[derive(Debug)]
pub struct PurgeBatches {
    /// Which, from the oldest on.
    batches: Vec<BatchId>,
    /// Their entries.
    entries: Vec<(AudienceKey, i64)>,
}

impl PurgeBatches {
    /// Removes these, which have places that follow each other.
    pub fn new(batches: &[ChangeBatch]) -> Self {
        let entries = batches.iter().flat_map(|batch| {
            let audiences = batch.place.map(|_| batch.audiences()).unwrap_or_default();
            audiences.into_iter().zip(std::iter::repeat(batch.place.unwrap_or_default()))
        });
        Self { batches: batches.iter().map(|batch| batch.id).collect(), entries: entries.collect() }
    }
}

impl Command for PurgeBatches {
    /// How many batches are gone.
    type Outcome = u32;

    const SILENT: Option<&'static str> = Some("the feed says nothing of itself");

    fn shard(&self) -> ShardTag {
        ShardTag::of_key(0)
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.feed_heads.push(FeedName::Changes);
        read_set.change_batches.extend(&self.batches);
        read_set.audience_entries.extend(&self.entries);
    }

    fn weight(&self) -> u32 {
        LIGHT_WEIGHT + u32::try_from(self.batches.len() + self.entries.len()).unwrap_or(u32::MAX / 2)
    }

    fn decide(&self, _: &mut Context<'_>, view: &mut View) -> Result<u32, Refusal> {
        let mut head = view.feed_heads.get(FeedName::Changes).ok_or(Refusal::Stale)?.clone();
        let mut gone = 0;
        for id in &self.batches {
            // Another server may have done the same.
            let Some(batch) = view.change_batches.get(*id).cloned() else { continue };
            if batch.place != Some(head.oldest_place) {
                return Err(Refusal::Stale);
            }
            for audience in batch.audiences() {
                view.audience_entries.remove((audience, head.oldest_place));
            }
            view.change_batches.remove(*id);
            head.purged_until = head.purged_until.max(batch.committed_at);
            head.oldest_place += 1;
            gone += 1;
        }
        if gone > 0 {
            let oldest = head.oldest_place;
            head.waiting.retain(|entry| entry.place >= oldest);
            view.feed_heads.put(head);
        }
        Ok(gone)
    }
}
