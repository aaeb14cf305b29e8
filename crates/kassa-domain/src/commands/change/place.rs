//! The places of batches in the feed.

use crate::context::Context;
use crate::context::command::{Command, LIGHT_WEIGHT};
use crate::model::change::{FeedHead, FeedName, SEQUENCER_LEASE_MS, SequencerClaim};
use crate::refusal::Refusal;
use crate::safeguard::{self, Safeguard};
use crate::values::batch_id::BatchId;
use crate::values::id::ShardTag;
use crate::values::time::Timestamp;
use crate::view::{ReadSet, View};

/// The most batches that one command places: with their entries, about as many rows as a light command writes.
pub const PLACED_BATCHES_MAX: u32 = 100;

/// Rows that a batch takes: its own, and the entries of those who see it.
const ROWS_PER_BATCH: u32 = 4;

/// Gives batches their places in the feed: those that were committed and have none, in an order in which each stands
/// behind those whose rows it has read.
///
/// The claim on the feed makes one writer at a time do so; that a batch is placed once follows from its own row.
#[derive(Debug)]
pub struct PlaceBatches {
    /// Which, in their order; up to [`PLACED_BATCHES_MAX`].
    pub batches: Vec<BatchId>,
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceOutcome {
    /// So many have got a place; the others had one.
    Placed(usize),
    /// Another writer does it, at least until then.
    ClaimedElsewhere(Timestamp),
}

impl Command for PlaceBatches {
    type Outcome = PlaceOutcome;

    const SILENT: Option<&'static str> = Some("the feed says nothing of itself");

    fn shard(&self) -> ShardTag {
        ShardTag::of_key(0)
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.feed_heads.push(FeedName::Changes);
        read_set.change_batches.extend(&self.batches);
    }

    fn weight(&self) -> u32 {
        LIGHT_WEIGHT + ROWS_PER_BATCH * u32::try_from(self.batches.len()).unwrap_or(PLACED_BATCHES_MAX)
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<PlaceOutcome, Refusal> {
        let stored = view.feed_heads.get(FeedName::Changes).cloned();
        let mut head = stored.unwrap_or_else(|| FeedHead::new(FeedName::Changes));
        let (node, epoch) = (cx.node.number, cx.node.epoch);
        let is_guarded = safeguard::is_enabled(Safeguard::SequencerClaim);
        if let Some(claim) = head.sequencer.filter(|_| is_guarded)
            && (claim.node, claim.epoch) != (node, epoch)
            && cx.now < claim.lease_till
        {
            return Ok(PlaceOutcome::ClaimedElsewhere(claim.lease_till));
        }
        let mut placed = 0;
        for id in &self.batches {
            let Some(batch) = view.change_batches.get(*id) else { continue };
            if batch.place.is_some() && is_guarded {
                continue;
            }
            let placed_batch = head.place(batch.clone());
            view.change_batches.put(placed_batch);
            placed += 1;
        }
        if placed > 0 {
            list_entries(&mut head, view);
            head.sequencer = Some(SequencerClaim { node, epoch, lease_till: cx.now.plus_ms(SEQUENCER_LEASE_MS) });
            view.feed_heads.put(head);
        }
        Ok(PlaceOutcome::Placed(placed))
    }
}

/// Puts the entries that wait in a head into the index.
pub(super) fn list_entries(head: &mut FeedHead, view: &mut View) {
    for entry in head.waiting.drain(..) {
        view.audience_entries.put(entry);
    }
}
