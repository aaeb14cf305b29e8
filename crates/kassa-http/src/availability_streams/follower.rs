//! What the log of changes says of the events that are followed: it wakes those whose readers may have to be told
//! something. Whoever sold, on whichever server, is in the log.

use std::sync::Arc;
use std::time::Duration;

use kassa_engine::availability::AvailabilityChange;
use kassa_engine::feed::{FeedCursor, FeedError};

use super::SharedStreams;

/// When to try again what was not to be had.
const RETRY_PAUSE: Duration = Duration::from_secs(1);
/// Changes that are looked at in one go.
const PAGE_CHANGES: usize = 1_000;

/// Follows the log as long as an event is followed.
pub(super) async fn follow(shared: Arc<SharedStreams>) {
    let mut news = shared.engine.watch_feed();
    let mut closed = shared.is_closed.subscribe();
    let mut from = None;
    while !shared.ends_if_idle() {
        news.borrow_and_update();
        let pause = match shared.note_changes(&mut from).await {
            Ok(()) => Duration::MAX,
            Err(FeedError::Failure(failure)) => {
                tracing::debug!(%failure, "the log of changes is not to be had");
                RETRY_PAUSE
            }
            // What came meanwhile is not known: it begins anew.
            Err(FeedError::Gone(_) | FeedError::Ahead(_)) => {
                from = None;
                Duration::ZERO
            }
        };
        tokio::select! {
            // Who prolongs the log is here as long as the server is.
            _ = news.changed() => {}
            () = tokio::time::sleep(pause) => {}
            () = shared.is_idle.notified() => {}
            _ = closed.wait_for(|is_closed| *is_closed) => return,
        }
    }
}

impl SharedStreams {
    /// Whether no event is followed; then the log is not, either.
    fn ends_if_idle(&self) -> bool {
        let mut channels = self.channels.lock();
        channels.is_fed = !channels.by_event.is_empty();
        !channels.is_fed
    }

    /// Wakes the events that changes name from a cursor on, and moves that on; all of them where there is none yet.
    async fn note_changes(&self, from: &mut Option<FeedCursor>) -> Result<(), FeedError> {
        let mut next = if let Some(cursor) = *from {
            cursor
        } else {
            let end = self.engine.feed_bounds().await?.end;
            // What was read before may lack what came before this.
            self.note_all_stale();
            *from.insert(end)
        };
        loop {
            let matters = |change: &_| AvailabilityChange::of(change).is_some_and(|change| self.is_followed(change));
            let page = self.engine.read_feed(next, PAGE_CHANGES, &matters).await?;
            for found in &page.changes {
                if let Some(change) = AvailabilityChange::of(found.change()) {
                    self.note(change);
                }
            }
            next = page.next;
            *from = Some(next);
            if page.is_at_end {
                return Ok(());
            }
        }
    }

    fn is_followed(&self, change: AvailabilityChange) -> bool {
        match change {
            AvailabilityChange::OfPartner(_) => true,
            AvailabilityChange::OfEvent(event) | AvailabilityChange::OfReaders(event) => {
                self.channels.lock().by_event.contains_key(&event)
            }
        }
    }

    fn note_all_stale(&self) {
        self.channels.lock().by_event.values().for_each(|channel| {
            channel.note_readers_changed();
            channel.note_stale();
        });
    }

    fn note(&self, change: AvailabilityChange) {
        let channels = self.channels.lock();
        match change {
            AvailabilityChange::OfPartner(partner) => channels.by_event.values().for_each(|channel| {
                channel.note_readers_changed();
                // Those of others are as they were: nobody has them all read again by what befalls one.
                if channel.may_be_of(partner) {
                    channel.note_stale();
                }
            }),
            AvailabilityChange::OfReaders(event) => {
                if let Some(channel) = channels.by_event.get(&event) {
                    channel.note_readers_changed();
                    channel.note_stale();
                }
            }
            AvailabilityChange::OfEvent(event) => {
                if let Some(channel) = channels.by_event.get(&event) {
                    channel.note_stale();
                }
            }
        }
    }
}
