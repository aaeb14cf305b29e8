//! An event that is followed: what is told of it, and who listens.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::body::Bytes;
use kassa_domain::Timestamp;
use kassa_domain::event::EventId;
use kassa_domain::partner::PartnerId;
use kassa_engine::availability::Availability;
use kassa_engine::fair_permits::FairPermit;
use kassa_engine::{Engine, Reader};
use tokio::sync::{Notify, watch};
use tokio::time::Instant;

use super::{FrameWriter, ReaderPlace, SharedStreams};
use crate::response::event_stream::{COMMENT, KEEP_ALIVE};

/// An event is told about four times a second at most.
const INTERVAL_MIN: Duration = Duration::from_millis(250);
/// With very many readers less often: so that all that is sent for an event is some four thousand frames a second, and its
/// sale keeps most of its pace.
const PAUSE_PER_READER: Duration = Duration::from_micros(250);
/// So much of the time that reading took is left to others before the event is read again.
const PAUSES_PER_READ: u32 = 4;
/// When to try again what was not to be had.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// An event that is followed.
pub(super) struct Channel {
    pub(super) event: EventId,
    /// Who organizes it, once it was read.
    organizer: OnceLock<PartnerId>,
    news: watch::Sender<Told>,
    /// Whether something may be different from what was told.
    is_stale: AtomicBool,
    wake: Notify,
    /// Counts how often those changed who see the event.
    readers_changed: AtomicU64,
    /// Its place among the events that are followed, of the share of whoever was the first to follow it.
    place: FairPermit<Option<Reader>>,
}

/// What was told last.
#[derive(Clone, Default)]
struct Told {
    /// The how many-th it is; 0 before anything was.
    number: u64,
    /// Brings there who has heard what came before it. It may say nothing.
    change: Bytes,
    /// All of it.
    snapshot: Bytes,
    is_public: bool,
    readers_changed: u64,
}

/// Somebody who follows an event.
pub(crate) struct AvailabilityReader {
    news: watch::Receiver<Told>,
    heard: u64,
    _place: ReaderPlace,
}

/// What a reader is told.
pub(crate) struct AvailabilityNews {
    pub(crate) bytes: Bytes,
    /// Whether everybody may hear it.
    pub(crate) is_public: bool,
    /// Another number where others may see the event than before.
    pub(crate) readers_changed: u64,
}

impl Channel {
    pub(super) fn new(event: EventId, place: FairPermit<Option<Reader>>) -> Self {
        Self {
            event,
            organizer: OnceLock::new(),
            news: watch::Sender::new(Told::default()),
            is_stale: AtomicBool::new(true),
            wake: Notify::new(),
            readers_changed: AtomicU64::new(0),
            place,
        }
    }

    pub(super) fn reader(&self, place: ReaderPlace) -> AvailabilityReader {
        AvailabilityReader { news: self.news.subscribe(), heard: 0, _place: place }
    }

    pub(super) fn has_readers(&self) -> bool {
        self.news.receiver_count() > 0
    }

    /// Whether this partner organizes the event, as far as that is known.
    pub(super) fn may_be_of(&self, partner: PartnerId) -> bool {
        self.organizer.get().is_none_or(|organizer| *organizer == partner)
    }

    pub(super) fn note_stale(&self) {
        if !self.is_stale.swap(true, Ordering::SeqCst) {
            self.wake.notify_one();
        }
    }

    pub(super) fn note_readers_changed(&self) {
        self.readers_changed.fetch_add(1, Ordering::SeqCst);
    }

    fn tell(&self, told: impl FnOnce(&mut Told)) {
        self.news.send_modify(|last| {
            last.number += 1;
            told(last);
        });
    }
}

impl AvailabilityReader {
    /// What comes next; `None` where the event is followed no longer.
    pub(crate) async fn next(&mut self) -> Option<AvailabilityNews> {
        loop {
            if let Some(news) = self.unheard() {
                return Some(news);
            }
            self.news.changed().await.ok()?;
        }
    }

    fn unheard(&mut self) -> Option<AvailabilityNews> {
        let told = self.news.borrow_and_update();
        if told.number == self.heard {
            return None;
        }
        let knows_last = self.heard > 0 && told.number == self.heard + 1;
        self.heard = told.number;
        Some(AvailabilityNews {
            bytes: if knows_last { &told.change } else { &told.snapshot }.clone(),
            is_public: told.is_public,
            readers_changed: told.readers_changed,
        })
    }
}

/// A channel that is open: it is closed in any case when this is dropped, so that its readers hear of it.
struct OpenChannel {
    shared: Arc<SharedStreams>,
    channel: Arc<Channel>,
}

impl Drop for OpenChannel {
    fn drop(&mut self) {
        let mut channels = self.shared.channels.lock();
        self.shared.remove(&self.channel, &mut channels);
    }
}

/// Tells what becomes of an event as long as somebody listens.
pub(super) async fn publish(shared: Arc<SharedStreams>, channel: Arc<Channel>, writer: FrameWriter) {
    let mut closed = shared.is_closed.subscribe();
    let mut publisher = Publisher::new(OpenChannel { shared, channel }, writer);
    while publisher.advance().await {
        let (wake_at, listens) = publisher.next_wake();
        let OpenChannel { shared, channel } = &publisher.open;
        tokio::select! {
            () = channel.wake.notified(), if listens => {}
            () = tokio::time::sleep_until(wake_at) => {}
            () = channel.news.closed() => {
                if shared.close_unread(channel) {
                    return;
                }
            }
            _ = closed.wait_for(|is_closed| *is_closed) => return,
        }
    }
}

/// What tells of an event.
struct Publisher {
    open: OpenChannel,
    writer: FrameWriter,
    /// What was told, or what would be if it were told anew.
    known: Option<Availability>,
    /// When it may be read again.
    read_at: Instant,
    told_at: Instant,
}

impl Publisher {
    fn new(open: OpenChannel, writer: FrameWriter) -> Self {
        Self { open, writer, known: None, read_at: Instant::now(), told_at: Instant::now() }
    }

    fn engine(&self) -> &Engine {
        &self.open.shared.engine
    }

    /// Does what is due; `false` if the event is not there any more.
    async fn advance(&mut self) -> bool {
        if self.is_stale() && Instant::now() >= self.read_at && !self.read().await {
            return false;
        }
        if self.told_at.elapsed() >= KEEP_ALIVE && self.known.is_some() {
            self.open.channel.tell(|told| {
                told.change = Bytes::from_static(COMMENT.as_bytes());
                told.readers_changed = self.open.channel.readers_changed.load(Ordering::SeqCst);
            });
            self.told_at = Instant::now();
        }
        true
    }

    /// Until when nothing is due, and whether a change may come before that.
    fn next_wake(&self) -> (Instant, bool) {
        if self.is_stale() {
            return (self.read_at, false);
        }
        let silent_until = self.told_at + KEEP_ALIVE;
        let changes_at = self.changes_at().map(|at| at.ms().saturating_sub(self.engine().now().ms()));
        let changes_at =
            changes_at.and_then(|ms| Instant::now().checked_add(Duration::from_millis(ms.try_into().ok()?)));
        (changes_at.map_or(silent_until, |at| at.min(silent_until)), true)
    }

    fn changes_at(&self) -> Option<Timestamp> {
        self.known.as_ref()?.changes_at
    }

    /// Whether what is known may be wrong.
    fn is_stale(&self) -> bool {
        let has_changed_by_itself = || self.changes_at().is_some_and(|at| at <= self.engine().now());
        self.open.channel.is_stale.load(Ordering::SeqCst) || has_changed_by_itself()
    }

    /// Reads the event, and tells what has changed; `false` if it is not there any more.
    async fn read(&mut self) -> bool {
        let OpenChannel { shared, channel } = &self.open;
        // What comes while it is read may be in what is read, or not.
        channel.is_stale.store(false, Ordering::SeqCst);
        let readers_changed = channel.readers_changed.load(Ordering::SeqCst);
        let Ok(turn) = shared.read_turns.acquire(channel.place.caller()).await else { return false };
        let begun = Instant::now();
        let found = shared.engine.availability(channel.event, self.known.as_ref()).await;
        drop(turn);
        let found = match found {
            Ok(Some(found)) => found,
            Ok(None) => return false,
            Err(failure) => {
                tracing::debug!(%failure, "what is left of an event is not to be had");
                channel.is_stale.store(true, Ordering::SeqCst);
                self.read_at = Instant::now() + RETRY_PAUSE;
                return true;
            }
        };
        shared.reads.add(1);
        channel.organizer.get_or_init(|| found.organizer);
        if self.known.as_ref().is_none_or(|known| !known.is_same(&found)) {
            let frames = match (self.writer)(self.known.as_ref(), &found) {
                Ok(frames) => frames,
                Err(error) => {
                    // It is of plain structs: it always serializes.
                    tracing::error!(%error, "what is left of an event could not be rendered");
                    return false;
                }
            };
            channel.tell(|told| {
                (told.snapshot, told.change) = (frames.snapshot, frames.change);
                (told.is_public, told.readers_changed) = (found.is_public, readers_changed);
            });
            self.told_at = Instant::now();
        }
        let readers = u32::try_from(channel.news.receiver_count()).unwrap_or(u32::MAX);
        let pause = INTERVAL_MIN.max(PAUSE_PER_READER * readers).max(begun.elapsed() * PAUSES_PER_READ);
        self.read_at = Instant::now() + pause;
        self.known = Some(found);
        true
    }
}
