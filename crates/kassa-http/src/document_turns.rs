//! Turns of documents that are being made: so many in all, and so many of one reader. Each keeps a processor busy, and its
//! pages in memory.

use std::sync::Arc;
use std::time::Duration;

use kassa_engine::fair_permits::{FairLimits, FairPermit, FairPermits};
use kassa_engine::metrics::{Limit, LimitHits};
use kassa_engine::{Failure, Reader};
use tokio::time::timeout;

/// Documents at a time, of all and of one reader; and those that wait for their turn.
const LIMITS: FairLimits = FairLimits { total: 4, per_caller: 2, waiting_per_caller: 32, waiting: 512 };
/// How long one waits for its turn.
const WAIT_MAX: Duration = Duration::from_secs(5);

/// Turns of documents; `None` are those of the program itself. Clones share them.
#[derive(Clone)]
pub(crate) struct DocumentTurns {
    turns: FairPermits<Option<Reader>>,
    limit_hits: Arc<LimitHits>,
}

impl DocumentTurns {
    pub(crate) fn new(limit_hits: Arc<LimitHits>) -> Self {
        Self { turns: FairPermits::new(LIMITS), limit_hits }
    }

    /// A turn of a reader; [`Failure::Busy`] if it does not come soon.
    pub(crate) async fn begin(&self, reader: Option<Reader>) -> Result<FairPermit<Option<Reader>>, Failure> {
        let turn = timeout(WAIT_MAX, self.turns.acquire(reader)).await;
        turn.ok().and_then(Result::ok).ok_or_else(|| {
            self.limit_hits.record(Limit::Documents);
            Failure::Busy
        })
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn one_reader_leaves_room_for_others() {
        let hits = Arc::new(LimitHits::default());
        let turns = DocumentTurns::new(Arc::clone(&hits));
        let reader = |last| Some(Reader::Network(Ipv4Addr::new(192, 0, 2, last).into()));
        let begun = futures_util::future::join_all((0..10).map(|_| turns.begin(reader(1)))).await;
        let held: Vec<_> = begun.into_iter().filter_map(Result::ok).collect();
        assert_eq!((held.len(), hits.get(Limit::Documents)), (LIMITS.per_caller, 10 - LIMITS.per_caller as u64));
        assert!(turns.begin(reader(2)).await.is_ok());
        drop(held);
        assert!(turns.begin(reader(1)).await.is_ok());
    }
}
