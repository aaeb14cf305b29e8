//! Streams of what is left of events: who follows them, and what each of them tells. What an event tells is read and
//! written once, for all who follow it.
//!
//! A reader holds its place, and what it hears of its event is shared: the newest state, and what brings there who has
//! the one before. Whoever is slower than that gets the newest state next, so nothing piles up for anybody. It waits for
//! nothing that others could use meanwhile.

mod channel;
mod follower;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::Bytes;
use kassa_domain::event::EventId;
use kassa_engine::availability::Availability;
use kassa_engine::fair_permits::{FairLimits, FairPermit, FairPermits};
use kassa_engine::metrics::{Counter, Limit, MetricsText};
use kassa_engine::{Engine, Failure, Reader};
use parking_lot::Mutex;
use tokio::sync::{Notify, watch};

use crate::error::ApiError;
use channel::Channel;
pub(crate) use channel::{AvailabilityNews, AvailabilityReader};

/// Of an address without a credential, which many people may share, and of all of these.
const OF_NETWORKS: FairLimits = FairLimits { total: 12_000, per_caller: 6_000, waiting_per_caller: 0, waiting: 0 };
/// Of a partner or a user, for its shop, and of all of these.
const OF_CALLERS: FairLimits = FairLimits { total: 3_000, per_caller: 1_500, waiting_per_caller: 0, waiting: 0 };
/// Events that are followed at a time, and those of them that one reader was the first to follow.
const EVENTS: FairLimits = FairLimits { total: 2_000, per_caller: 500, waiting_per_caller: 0, waiting: 0 };
/// Events that are read at a time, shared fairly among those who were the first to follow.
const READS: FairLimits =
    FairLimits { total: 2, per_caller: 2, waiting_per_caller: EVENTS.total, waiting: EVENTS.total };
/// Seconds after which a reader without a place should try again.
const RETRY_AFTER_S: u64 = 10;

/// What is told of an event.
pub(crate) struct AvailabilityFrames {
    /// All of it.
    pub(crate) snapshot: Bytes,
    /// What brings there who has what was told before; all of it where nothing was.
    pub(crate) change: Bytes,
}

/// Writes what is told of an event, after what was told before.
pub(crate) type FrameWriter = fn(Option<&Availability>, &Availability) -> Result<AvailabilityFrames, serde_json::Error>;

/// The streams of a server. Clones share them.
#[derive(Clone)]
pub(crate) struct AvailabilityStreams(Arc<SharedStreams>);

struct SharedStreams {
    engine: Engine,
    networks: FairPermits<Reader>,
    callers: FairPermits<Reader>,
    events: FairPermits<Option<Reader>>,
    readers: AtomicUsize,
    channels: Mutex<Channels>,
    /// Signals that no event is followed any more.
    is_idle: Notify,
    /// Turns of events that are read.
    read_turns: FairPermits<Option<Reader>>,
    reads: Counter,
    /// Whether the server stops.
    is_closed: watch::Sender<bool>,
}

/// The events that are followed.
#[derive(Default)]
struct Channels {
    by_event: HashMap<EventId, Arc<Channel>>,
    /// Whether somebody follows the log of changes for them.
    is_fed: bool,
}

/// The place of a reader, until it is dropped.
struct ReaderPlace {
    streams: Arc<SharedStreams>,
    _permit: Option<FairPermit<Reader>>,
}

impl AvailabilityStreams {
    pub(crate) fn new(engine: Engine) -> Self {
        Self(Arc::new(SharedStreams {
            engine,
            networks: FairPermits::new(OF_NETWORKS),
            callers: FairPermits::new(OF_CALLERS),
            events: FairPermits::new(EVENTS),
            readers: AtomicUsize::new(0),
            channels: Mutex::default(),
            is_idle: Notify::new(),
            read_turns: FairPermits::new(READS),
            reads: Counter::default(),
            is_closed: watch::Sender::new(false),
        }))
    }

    /// Lets somebody follow an event; `None` is the program itself. 429 if one follows too much already, 503 if all do.
    /// The first one says how it is written.
    pub(crate) fn join(
        &self,
        event: EventId,
        reader: Option<Reader>,
        writer: FrameWriter,
    ) -> Result<AvailabilityReader, ApiError> {
        let shared = &self.0;
        let permit = reader.map(|reader| shared.permit(reader)).transpose()?;
        if *shared.is_closed.borrow() {
            return Err(Failure::Unavailable.into());
        }
        let mut channels = shared.channels.lock();
        let channel = if let Some(channel) = channels.by_event.get(&event).cloned() {
            channel
        } else {
            let Some(place) = shared.events.try_acquire(reader) else {
                shared.engine.limit_hits().record(Limit::AvailabilityStreams);
                return Err(Failure::Busy.into());
            };
            shared.open(Channel::new(event, place), writer, &mut channels)
        };
        // Under the lock: a channel without readers is closed under it.
        Ok(channel.reader(ReaderPlace::new(shared, permit)))
    }

    /// The server stops: all streams end.
    pub(crate) fn close(&self) {
        self.0.is_closed.send_replace(true);
    }

    pub(crate) fn write_metrics(&self, text: &mut MetricsText) {
        let shared = &self.0;
        text.gauge("kassa_availability_readers", "Streams of what is left of events.");
        text.sample("kassa_availability_readers", &[], shared.readers.load(Ordering::Relaxed) as u64);
        text.gauge("kassa_availability_events", "Events that these follow.");
        text.sample("kassa_availability_events", &[], shared.channels.lock().by_event.len() as u64);
        text.counter("kassa_availability_reads_total", "How often such an event was read, for all who follow it.");
        text.sample("kassa_availability_reads_total", &[], shared.reads.get());
    }
}

impl SharedStreams {
    fn permit(&self, reader: Reader) -> Result<FairPermit<Reader>, ApiError> {
        let permits = match reader {
            Reader::Network(_) => &self.networks,
            Reader::Partner(_) | Reader::User(_) => &self.callers,
        };
        permits.try_acquire(reader).ok_or_else(|| {
            self.engine.limit_hits().record(Limit::AvailabilityStreams);
            ApiError::too_many_requests(RETRY_AFTER_S)
        })
    }

    /// Begins to follow an event.
    fn open(self: &Arc<Self>, channel: Channel, writer: FrameWriter, channels: &mut Channels) -> Arc<Channel> {
        let channel = Arc::new(channel);
        channels.by_event.insert(channel.event, Arc::clone(&channel));
        tokio::spawn(channel::publish(Arc::clone(self), Arc::clone(&channel), writer));
        if !channels.is_fed {
            channels.is_fed = true;
            tokio::spawn(follower::follow(Arc::clone(self)));
        }
        channel
    }

    /// Follows an event no longer if nobody does; returns whether that is so.
    fn close_unread(&self, channel: &Arc<Channel>) -> bool {
        let mut channels = self.channels.lock();
        let is_unread = !channel.has_readers();
        if is_unread {
            self.remove(channel, &mut channels);
        }
        is_unread
    }

    fn remove(&self, channel: &Arc<Channel>, channels: &mut Channels) {
        // There may be another one for the event by now.
        if channels.by_event.get(&channel.event).is_some_and(|found| Arc::ptr_eq(found, channel)) {
            channels.by_event.remove(&channel.event);
        }
        if channels.by_event.is_empty() {
            self.is_idle.notify_one();
        }
    }
}

impl ReaderPlace {
    fn new(streams: &Arc<SharedStreams>, permit: Option<FairPermit<Reader>>) -> Self {
        streams.readers.fetch_add(1, Ordering::Relaxed);
        Self { streams: Arc::clone(streams), _permit: permit }
    }
}

impl Drop for ReaderPlace {
    fn drop(&mut self) {
        self.streams.readers.fetch_sub(1, Ordering::Relaxed);
    }
}
