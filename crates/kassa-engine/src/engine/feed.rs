//! The feed: who reads it and how, and how batches come into it.

use std::collections::BTreeSet;

use kassa_domain::change::{
    AudienceEntry, BatchId, Change, FeedHead, FeedName, PLACED_BATCHES_MAX, PlaceBatches, PlaceOutcome, PurgeBatches,
};
use kassa_domain::partner::PartnerId;
use kassa_domain::{Actor, ReadSet, Timestamp, View};
use kassa_store::PageWindow;
use kassa_store::queries::{AcceptedDeals, AgentEntries, PartnerEntries, UnplacedBatch};
use tokio::sync::{oneshot, watch};

use super::Engine;
use crate::failure::Failure;
use crate::feed::{FeedAudience, FeedBounds, FeedChange, FeedCursor, FeedError, FeedPage, FeedState, PlacedBatch};
use crate::task::{CommandTask, Executed};

/// Batches that are read from the database at a time.
const BATCHES_PER_READ: usize = 16;
/// Batches that one call looks at: whoever wants more calls again.
const BATCHES_PER_PAGE: usize = 256;
/// Places that one call looks at for an agent: all entries of the events that it sells are read among them, and sorted.
const AGENT_WINDOW: i64 = 4_096;
/// Entries that are read at a time.
const ENTRIES_PER_READ: u32 = 256;
/// Deals that are read at a time.
const DEALS_PER_READ: u32 = 500;
/// Batches that a server learns of at once that others have placed: of more than that, whoever reads them learns.
const FOLLOWED_BATCHES_MAX: i64 = 256;
/// Batches that one command removes.
const PURGED_PER_COMMAND: usize = 64;
/// The lane that prolongs the feed and removes its end.
const SEQUENCER_LANE: usize = 0;
/// Bytes of packed changes that one command places.
const PLACED_BYTES_MAX: u64 = 1024 * 1024;

/// Which changes of a page are wanted.
pub type ChangeSelector<'a> = dyn Fn(&Change) -> bool + Sync + 'a;

/// What came of an attempt to prolong the feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SequencerRound {
    /// So many batches got a place, and no more did wait.
    Placed(usize),
    /// So many got a place; more may wait.
    PlacedFirst(usize),
    /// Nothing waits for a place.
    Idle,
    /// Another writer gives places, at least until then.
    ClaimedElsewhere(Timestamp),
}

impl SequencerRound {
    /// How many batches have got a place.
    pub fn placed(self) -> u64 {
        match self {
            Self::Placed(count) | Self::PlacedFirst(count) => count as u64,
            Self::Idle | Self::ClaimedElsewhere(_) => 0,
        }
    }
}

impl Engine {
    /// The last place of the feed that this server knows of: it changes when there is more to read.
    pub fn watch_feed(&self) -> watch::Receiver<i64> {
        self.inner.shared.feed.watch()
    }

    /// From where to where the feed can be read now.
    pub async fn feed_bounds(&self) -> Result<FeedBounds, Failure> {
        let head = self.feed_head().await?;
        Ok(FeedBounds {
            oldest: FeedCursor { place: head.oldest_place, index: 0 },
            end: FeedCursor::behind(head.last_place),
        })
    }

    /// How far the feed goes; a failure while the database is not to be had.
    pub async fn feed_state(&self) -> Result<FeedState, Failure> {
        if self.inner.shared.outage.is_down() {
            return Err(Failure::Unavailable);
        }
        let FeedHead { last_place, oldest_place, .. } = self.feed_head().await?;
        let oldest = self.map_store_result(self.inner.store.unplaced_batches(1).await)?;
        let oldest: Vec<BatchId> = oldest.iter().map(|batch| batch.id).collect();
        let view = self.view(&ReadSet { change_batches_to_read: oldest, ..ReadSet::default() }).await?;
        // It may have been given a place since.
        let unplaced = view.change_batches.rows().find(|batch| batch.place.is_none());
        let unplaced_ms = unplaced.map_or(0, |batch| (self.now().ms() - batch.committed_at.ms()).max(0));
        Ok(FeedState { last_place, oldest_place, unplaced_ms })
    }

    /// Whether something can be read from a cursor on, now or later.
    pub async fn check_feed_cursor(&self, from: FeedCursor) -> Result<(), FeedError> {
        self.readable_until(from).await.map(drop)
    }

    /// What these partners see of the feed.
    pub async fn feed_audience(&self, partners: &[PartnerId]) -> Result<FeedAudience, Failure> {
        let mut audience = FeedAudience { partners: partners.to_vec(), ..FeedAudience::default() };
        for agent in partners {
            let mut filter = AcceptedDeals { agent: *agent, after_key: 0 };
            loop {
                let deals = self.page(filter, PageWindow::first(DEALS_PER_READ)).await?.rows;
                audience.sold_events.extend(deals.iter().map(|deal| deal.event));
                match deals.last() {
                    Some(last) if deals.len() == DEALS_PER_READ as usize => filter.after_key = last.id.key(),
                    _ => break,
                }
            }
        }
        Ok(audience)
    }

    /// The changes from a cursor on, whoever sees them: up to so many of those that are wanted.
    pub async fn read_feed(
        &self,
        from: FeedCursor,
        limit: usize,
        wanted: &ChangeSelector<'_>,
    ) -> Result<FeedPage, FeedError> {
        let last = self.readable_until(from).await?;
        let mut page = PageBuilder::new(from, limit, wanted);
        let mut looked_at = 0;
        while page.next.place <= last && !page.is_full() && looked_at < BATCHES_PER_PAGE {
            let batches = self.batches_from(page.next.place, last).await?;
            if batches.first().is_none_or(|first| first.place != page.next.place) {
                // They were purged meanwhile.
                return Err(FeedError::Gone(self.feed_bounds().await?.oldest));
            }
            looked_at += batches.len();
            for batch in &batches {
                page.add(batch);
            }
        }
        Ok(page.finish(last))
    }

    /// The changes from a cursor on that an audience sees: up to so many of those that are wanted. Where it sees little,
    /// there may be none on a page although others follow.
    pub async fn read_feed_of(
        &self,
        audience: &FeedAudience,
        from: FeedCursor,
        limit: usize,
        wanted: &ChangeSelector<'_>,
    ) -> Result<FeedPage, FeedError> {
        let last = self.readable_until(from).await?;
        let wanted = |change: &Change| audience.sees(&change.audience) && wanted(change);
        let mut page = PageBuilder::new(from, limit, &wanted);
        if from.place > last {
            return Ok(page.finish(last));
        }
        if let Some(batches) = self.inner.shared.feed.kept_from(from.place, BATCHES_PER_PAGE) {
            for batch in batches.iter().take_while(|batch| batch.place <= last) {
                page.add(batch);
            }
            return Ok(page.finish(last));
        }
        let (places, until) = self.places_of(audience, from.place, last).await?;
        for places in places.chunks(BATCHES_PER_READ) {
            if page.is_full() {
                break;
            }
            for batch in &self.batches_at(places).await? {
                page.add(batch);
            }
        }
        page.skip_to(until);
        // What was purged meanwhile has no entries.
        let oldest = self.feed_bounds().await?.oldest;
        if from.place < oldest.place { Err(FeedError::Gone(oldest)) } else { Ok(page.finish(last)) }
    }

    /// The last place that can be read, if everything from the cursor on can be.
    async fn readable_until(&self, from: FeedCursor) -> Result<i64, FeedError> {
        let feed = &self.inner.shared.feed;
        // Where nobody waits, what other servers have added is not known.
        if feed.is_watched() && feed.at_place(from.place).is_some() {
            return Ok(feed.last_place());
        }
        let head = self.feed_head().await?;
        if from.place < head.oldest_place {
            return Err(FeedError::Gone(FeedCursor { place: head.oldest_place, index: 0 }));
        }
        let end = FeedCursor::behind(head.last_place);
        if from > end { Err(FeedError::Ahead(end)) } else { Ok(head.last_place) }
    }

    /// Some batches from a place on, up to another.
    async fn batches_from(&self, place: i64, last: i64) -> Result<Vec<PlacedBatch>, Failure> {
        if let Some(batches) = self.inner.shared.feed.kept_from(place, BATCHES_PER_READ) {
            return Ok(batches.into_iter().take_while(|batch| batch.place <= last).collect());
        }
        let places: Vec<i64> = (place..=last).take(BATCHES_PER_READ).collect();
        self.batches_at(&places).await
    }

    /// The batches at these places, by place. What was purged meanwhile is not among them.
    async fn batches_at(&self, places: &[i64]) -> Result<Vec<PlacedBatch>, Failure> {
        let feed = &self.inner.shared.feed;
        let mut found: Vec<PlacedBatch> = places.iter().filter_map(|place| feed.at_place(*place)).collect();
        if found.len() < places.len() {
            let change_batches_at = places.to_vec();
            let view = self.view(&ReadSet { change_batches_at, ..ReadSet::default() }).await?;
            found = view.change_batches.rows().filter_map(PlacedBatch::new).collect();
        }
        found.sort_unstable_by_key(|batch| batch.place);
        Ok(found)
    }

    /// The changes directly at these cursors that an audience sees, by cursor, each once. Those that are not there, or that
    /// it does not see, are left out.
    pub(crate) async fn changes_at(
        &self,
        audience: &FeedAudience,
        positions: &BTreeSet<FeedCursor>,
    ) -> Result<Vec<FeedChange>, Failure> {
        let places: BTreeSet<i64> = positions.iter().map(|position| position.place).collect();
        let mut batches = Vec::new();
        for places in Vec::from_iter(places).chunks(BATCHES_PER_READ) {
            batches.extend(self.batches_at(places).await?);
        }
        let at = |position: &FeedCursor| {
            let found = batches.binary_search_by_key(&position.place, |batch| batch.place).ok()?;
            let (batch, index) = (batches[found].clone(), position.index);
            let change = batch.changes.get(index as usize)?;
            audience.sees(&change.audience).then_some(FeedChange { batch, index })
        };
        Ok(positions.iter().filter_map(at).collect())
    }

    /// Places from one on at which an audience sees something, by place, each once; and up to which place these are all.
    async fn places_of(&self, audience: &FeedAudience, from: i64, last: i64) -> Result<(Vec<i64>, i64), Failure> {
        let (after_place, window) = (from - 1, PageWindow::first(ENTRIES_PER_READ));
        let mut until = last;
        if !audience.sold_events.is_empty() {
            until = last.min(after_place.saturating_add(AGENT_WINDOW));
        }
        // Entries go from the head into the index: whoever reads the index afterwards misses none.
        let mut waiting = self.feed_head().await?.waiting;
        waiting.retain(|entry| entry.place >= from && audience.finds(entry.audience));
        let partners = audience.partners.clone();
        let own = PartnerEntries { partners: partners.clone(), after_place, last_place: until };
        let mut places = Self::add_places(&self.page(own, window).await?.rows, Vec::new(), &mut until);
        if !audience.sold_events.is_empty() {
            let of_events = AgentEntries { agents: partners, after_place, last_place: until };
            places = Self::add_places(&self.page(of_events, window).await?.rows, places, &mut until);
        }
        places.extend(waiting.iter().map(|entry| entry.place));
        places.sort_unstable();
        places.dedup();
        places.retain(|place| *place <= until);
        Ok((places, until))
    }

    /// A full page tells of all places up to its last only.
    fn add_places(entries: &[AudienceEntry], mut places: Vec<i64>, until: &mut i64) -> Vec<i64> {
        if let Some(last) = entries.last().filter(|_| entries.len() == ENTRIES_PER_READ as usize) {
            // Others may see something at the last place, too: it is the same batch.
            *until = last.place.min(*until);
        }
        places.extend(entries.iter().map(|entry| entry.place));
        places
    }

    async fn feed_head(&self) -> Result<FeedHead, Failure> {
        let view = self.view(&ReadSet { feed_heads: vec![FeedName::Changes], ..ReadSet::default() }).await?;
        Ok(head_in(&view))
    }

    /// Learns what other servers have added to the feed, and tells who waits for it. Returns how many batches that were.
    pub async fn follow_feed(&self) -> Result<u64, Failure> {
        let feed = &self.inner.shared.feed;
        let (last, mut learned) = (self.feed_head().await?.last_place, 0);
        // Whoever is further behind reads by himself.
        let first = (feed.last_place() + 1).max(last - FOLLOWED_BATCHES_MAX + 1).max(1);
        for place in (first..=last).step_by(BATCHES_PER_READ) {
            let places: Vec<i64> = (place..=last).take(BATCHES_PER_READ).collect();
            let batches = self.batches_at(&places).await?;
            learned += batches.len() as u64;
            feed.publish(batches);
        }
        Ok(learned)
    }

    /// Gives places to some of the batches that have none, if nobody else does so. One command at most.
    pub async fn place_batches(&self) -> Result<SequencerRound, Failure> {
        if !self.inner.store.has_sequencer() {
            return Ok(SequencerRound::Idle);
        }
        let waiting = self.map_store_result(self.inner.store.unplaced_batches(PLACED_BATCHES_MAX).await)?;
        if waiting.is_empty() {
            return Ok(SequencerRound::Idle);
        }
        let command = PlaceBatches { batches: fitting(&waiting) };
        let are_all = command.batches.len() == waiting.len() && waiting.len() < PLACED_BATCHES_MAX as usize;
        let (reply, answer) = oneshot::channel();
        let task =
            CommandTask::new((&Actor::System).into(), command, |_: &View, outcome: &PlaceOutcome| *outcome, reply);
        self.inner.lanes.send_to_lane(SEQUENCER_LANE, Box::new(task))?;
        match answer.await.unwrap_or(Err(Failure::Unavailable)).map(Executed::into_response)? {
            PlaceOutcome::Placed(count) if are_all => Ok(SequencerRound::Placed(count)),
            PlaceOutcome::Placed(count) => Ok(SequencerRound::PlacedFirst(count)),
            PlaceOutcome::ClaimedElsewhere(until) => Ok(SequencerRound::ClaimedElsewhere(until)),
        }
    }

    /// Removes the oldest batches that were decided before a time, some at a time, and returns how many.
    pub async fn purge_batches(&self, before: Timestamp) -> Result<u64, Failure> {
        let mut purged = 0;
        loop {
            let oldest = self.feed_head().await?.oldest_place;
            let places: Vec<i64> = (oldest..).take(PURGED_PER_COMMAND).collect();
            let view = self.view(&ReadSet { change_batches_at: places, ..ReadSet::default() }).await?;
            let mut batches: Vec<_> = view.change_batches.rows().filter(|batch| batch.place.is_some()).collect();
            batches.sort_unstable_by_key(|batch| batch.place);
            // What comes behind one that is kept is kept, too: places have no holes.
            let old: Vec<_> = batches.into_iter().take_while(|batch| batch.committed_at < before).cloned().collect();
            if old.is_empty() {
                return Ok(purged);
            }
            let (reply, answer) = oneshot::channel();
            let task =
                CommandTask::new((&Actor::System).into(), PurgeBatches::new(&old), |_: &View, gone: &u32| *gone, reply);
            self.inner.lanes.send_to_lane(SEQUENCER_LANE, Box::new(task))?;
            purged += u64::from(answer.await.unwrap_or(Err(Failure::Unavailable)).map(Executed::into_response)?);
        }
    }
}

fn head_in(view: &View) -> FeedHead {
    view.feed_heads.get(FeedName::Changes).cloned().unwrap_or_else(|| FeedHead::new(FeedName::Changes))
}

/// The first of them that together are not too long for one command; one at least.
fn fitting(waiting: &[UnplacedBatch]) -> Vec<BatchId> {
    let mut bytes = 0;
    let fits = |(at, batch): &(usize, &UnplacedBatch)| {
        bytes += batch.bytes;
        *at == 0 || bytes <= PLACED_BYTES_MAX
    };
    waiting.iter().enumerate().take_while(fits).map(|(_, batch)| batch.id).collect()
}

/// Collects a page.
struct PageBuilder<'a> {
    changes: Vec<FeedChange>,
    next: FeedCursor,
    limit: usize,
    wanted: &'a ChangeSelector<'a>,
}

impl<'a> PageBuilder<'a> {
    fn new(from: FeedCursor, limit: usize, wanted: &'a ChangeSelector<'a>) -> Self {
        Self { changes: Vec::new(), next: from, limit, wanted }
    }

    fn is_full(&self) -> bool {
        self.changes.len() >= self.limit
    }

    /// Takes what is wanted of the next batch, as far as there is room.
    fn add(&mut self, batch: &PlacedBatch) {
        if self.is_full() || batch.place < self.next.place {
            return;
        }
        let first = if batch.place == self.next.place { self.next.index } else { 0 };
        for (index, change) in (0..).zip(&*batch.changes).skip(first as usize) {
            if self.is_full() {
                self.next = FeedCursor { place: batch.place, index };
                return;
            }
            if (self.wanted)(change) {
                self.changes.push(FeedChange { batch: batch.clone(), index });
            }
        }
        self.next = FeedCursor::behind(batch.place);
    }

    /// Nothing more is wanted up to this place.
    fn skip_to(&mut self, place: i64) {
        if !self.is_full() {
            self.next = self.next.max(FeedCursor::behind(place));
        }
    }

    fn finish(self, last: i64) -> FeedPage {
        FeedPage { is_at_end: self.next.place > last, changes: self.changes, next: self.next }
    }
}
