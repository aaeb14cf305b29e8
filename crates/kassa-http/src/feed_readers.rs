//! Readers of the feed that wait for changes: so many of one, and so many in all. Each takes a place, and nothing else that
//! somebody could wait for.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use kassa_engine::fair_permits::{FairLimits, FairPermit, FairPermits};
use kassa_engine::metrics::{Limit, LimitHits, MetricsText};
use kassa_engine::{Failure, ListTurn, Reader};
use tokio::sync::watch;

use crate::error::ApiError;

/// Readers that wait: in all, and of a partner or a user.
const READERS_MAX: usize = 1_000;
const PER_READER: usize = 32;
/// Seconds after which a reader without a place should try again: others wait for no longer than half a minute.
const RETRY_AFTER_S: u64 = 10;

/// How somebody waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FeedWait {
    /// For an answer, which ends with the first change.
    Poll,
    /// In a stream, which goes on.
    Stream,
}

impl FeedWait {
    const ALL: [Self; 2] = [Self::Poll, Self::Stream];

    fn label(self) -> &'static str {
        match self {
            Self::Poll => "poll",
            Self::Stream => "stream",
        }
    }
}

/// The places of readers that wait. Clones share them.
#[derive(Clone)]
pub(crate) struct FeedReaders(Arc<SharedPlaces>);

struct SharedPlaces {
    permits: FairPermits<Reader>,
    waiting: [AtomicUsize; FeedWait::ALL.len()],
    /// Whether the server stops.
    is_closed: watch::Sender<bool>,
    limit_hits: Arc<LimitHits>,
}

/// A reader that waits, until this is dropped.
pub(crate) struct FeedReaderPlace {
    wait: FeedWait,
    places: Arc<SharedPlaces>,
    _permit: FairPermit<Reader>,
}

impl FeedReaders {
    pub(crate) fn new(limit_hits: Arc<LimitHits>) -> Self {
        let limits = FairLimits { total: READERS_MAX, per_caller: PER_READER, waiting_per_caller: 0, waiting: 0 };
        let is_closed = watch::Sender::new(false);
        Self(Arc::new(SharedPlaces {
            permits: FairPermits::new(limits),
            waiting: Default::default(),
            is_closed,
            limit_hits,
        }))
    }

    /// A place for whoever reads in this task; 429 if there is none.
    pub(crate) fn begin(&self, wait: FeedWait) -> Result<FeedReaderPlace, ApiError> {
        let reader = ListTurn::reader().ok_or_else(|| Failure::internal("nobody reads here"))?;
        self.begin_as(reader, wait)
    }

    fn begin_as(&self, reader: Reader, wait: FeedWait) -> Result<FeedReaderPlace, ApiError> {
        let Some(permit) = self.0.permits.try_acquire(reader) else {
            self.0.limit_hits.record(Limit::FeedReaders);
            return Err(ApiError::too_many_requests(RETRY_AFTER_S));
        };
        self.0.waiting[wait as usize].fetch_add(1, Ordering::Relaxed);
        Ok(FeedReaderPlace { wait, places: Arc::clone(&self.0), _permit: permit })
    }

    /// The server stops: nobody waits any longer.
    pub(crate) fn close(&self) {
        self.0.is_closed.send_replace(true);
    }

    /// Whether the server stops.
    pub(crate) fn is_closed(&self) -> bool {
        *self.0.is_closed.borrow()
    }

    /// Ready when the server stops.
    pub(crate) async fn closed(&self) {
        // The sender is here: it cannot be gone.
        let _ = self.0.is_closed.subscribe().wait_for(|is_closed| *is_closed).await;
    }

    pub(crate) fn write_metrics(&self, text: &mut MetricsText) {
        text.gauge("kassa_feed_readers", "Readers of the feed of changes that wait.");
        for wait in FeedWait::ALL {
            let count = self.0.waiting[wait as usize].load(Ordering::Relaxed);
            text.sample("kassa_feed_readers", &[("wait", wait.label())], count as u64);
        }
    }
}

impl Drop for FeedReaderPlace {
    fn drop(&mut self) {
        self.places.waiting[self.wait as usize].fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use kassa_domain::partner::PartnerId;

    use super::*;

    #[test]
    fn a_partner_has_its_share_of_places_and_others_have_theirs() {
        let (hits, partner) = (Arc::<LimitHits>::default(), |number| Reader::Partner(PartnerId::root(number)));
        let readers = FeedReaders::new(Arc::clone(&hits));
        let mut places: Vec<FeedReaderPlace> =
            (0..PER_READER).map(|_| readers.begin_as(partner(1), FeedWait::Stream).unwrap()).collect();
        assert!(readers.begin_as(partner(1), FeedWait::Poll).is_err());
        let other = readers.begin_as(partner(2), FeedWait::Poll).unwrap();
        places.pop();
        let again = readers.begin_as(partner(1), FeedWait::Poll).unwrap();
        assert_eq!(hits.get(Limit::FeedReaders), 1);
        let mut text = MetricsText::default();
        readers.write_metrics(&mut text);
        let text = text.finish();
        assert!(text.contains("kassa_feed_readers{wait=\"poll\"} 2\n"), "{text}");
        assert!(text.contains("kassa_feed_readers{wait=\"stream\"} 31\n"), "{text}");
        drop((other, again, places));
        let all: Vec<FeedReaderPlace> =
            (0..1_000).map(|number| readers.begin_as(partner(number), FeedWait::Poll).unwrap()).collect();
        assert!(readers.begin_as(partner(-1), FeedWait::Poll).is_err());
        drop(all);
    }
}
