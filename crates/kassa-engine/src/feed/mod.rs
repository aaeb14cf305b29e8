//! The feed of changes, as those who read it see it: places that follow each other, each with the changes of a batch.
//!
//! Floors: `hub` is filled by lanes, below the engine; what reads is in `engine/feed.rs`.

mod hub;

pub(crate) use hub::FeedHub;
pub use hub::PlacedBatch;

use std::collections::BTreeSet;

pub use kassa_domain::change::FeedCursor;
use kassa_domain::change::{Audience, AudienceKey, Change};
use kassa_domain::event::EventId;
use kassa_domain::partner::PartnerId;

use crate::failure::Failure;
use crate::metrics::MetricsText;

/// A change at its place in the feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedChange {
    /// The batch that it is of.
    pub batch: PlacedBatch,
    /// Which change of the batch, from 0 on.
    pub index: u32,
}

impl FeedChange {
    /// The change itself.
    pub fn change(&self) -> &Change {
        &self.batch.changes[self.index as usize]
    }

    /// From where one reads on who has seen it. Behind the last change of a batch that is the next place: whoever has seen
    /// all of a batch misses nothing when it is kept no longer.
    pub fn cursor(&self) -> FeedCursor {
        let (place, index) = (self.batch.place, self.index + 1);
        if (index as usize) < self.batch.changes.len() {
            FeedCursor { place, index }
        } else {
            FeedCursor::behind(place)
        }
    }
}

/// A part of the feed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeedPage {
    /// The changes, in the order of the feed; there may be none though others follow.
    pub changes: Vec<FeedChange>,
    /// From where one reads on.
    pub next: FeedCursor,
    /// Whether that was the end of the feed.
    pub is_at_end: bool,
}

/// From where to where the feed can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeedBounds {
    /// At the oldest change that is kept.
    pub oldest: FeedCursor,
    /// Behind the last change.
    pub end: FeedCursor,
}

/// How far the feed goes, for operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeedState {
    /// The last place.
    pub last_place: i64,
    /// The first place that is kept.
    pub oldest_place: i64,
    /// How long the oldest batch without a place has waited for one, in milliseconds; 0 where none waits.
    pub unplaced_ms: i64,
}

impl FeedState {
    /// As samples.
    pub fn write_metrics(self, text: &mut MetricsText) {
        text.gauge("kassa_feed_place", "The last place of the feed of changes.");
        text.sample("kassa_feed_place", &[], self.last_place);
        text.gauge("kassa_feed_oldest_place", "The first place of the feed that is kept.");
        text.sample("kassa_feed_oldest_place", &[], self.oldest_place);
        let name = "kassa_feed_unplaced_seconds";
        text.gauge(name, "How long the oldest batch of changes without a place has waited for one.");
        text.sample(name, &[], format_args!("{}.{:03}", self.unplaced_ms / 1_000, self.unplaced_ms % 1_000));
    }
}

/// Why nothing can be read from a cursor on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FeedError {
    /// What follows it is not kept any more.
    #[error("what follows is kept no longer; the oldest change is at {0}")]
    Gone(FeedCursor),
    /// No feed of this installation has come so far, as when a backup was restored.
    #[error("the feed ends before, at {0}")]
    Ahead(FeedCursor),
    /// The database was not to be had.
    #[error(transparent)]
    Failure(#[from] Failure),
}

/// Who reads the feed, and so which changes: those whose own the rows are, and agents of events that they sell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeedAudience {
    /// The partners.
    pub partners: Vec<PartnerId>,
    /// The events that they sell under accepted deals. These change when a deal does; of that the partners are told, as
    /// the deal is theirs: `deal.accepted`, `deal.terminated`.
    pub sold_events: BTreeSet<EventId>,
}

impl FeedAudience {
    /// Whether it looks at the entries of an index.
    pub(crate) fn finds(&self, key: AudienceKey) -> bool {
        match key {
            AudienceKey::Partner(partner) => self.partners.contains(&partner),
            AudienceKey::AgentsOf(event) => self.sold_events.contains(&event),
        }
    }

    /// Whether it sees a change.
    pub fn sees(&self, audience: &Audience) -> bool {
        audience.partners().any(|partner| self.partners.contains(&partner))
            || audience.agents_of().is_some_and(|event| self.sold_events.contains(&event))
    }
}
