//! Turns of those who read lists. A list is read and rendered in pages; for each page its reader has a turn, and turns
//! are shared out fairly between readers (see [`crate::fair_permits`]). So whoever reads lists all the time, by however
//! many connections, takes no more of the database and of the processors than its share.
//!
//! Who reads is known where a request comes in, and lists are read far below: between the two it travels with the
//! task. `Engine::read_as` says who reads in a piece of work, and [`ListTurn::inherit`] hands it on to a task that goes
//! on with a list. What runs outside of both is the program's own: it waits for nobody.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use kassa_domain::partner::PartnerId;
use kassa_domain::user::UserId;
use kassa_store::READ_TIME_LIMIT;
use parking_lot::Mutex;

use crate::failure::Failure;
use crate::fair_permits::{FairLimits, FairPermit, FairPermits};
use crate::metrics::{Limit, LimitHits};

/// How long a reader waits for its turn.
const TURN_WAIT_MAX: Duration = Duration::from_secs(5);
/// The most requests that wait for a turn: of one reader, and in all.
const WAITING_PER_READER: usize = 128;
const WAITING_MAX: usize = 1_024;

/// Whose lists are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reader {
    /// A partner: all its keys, and the users who act for it.
    Partner(PartnerId),
    /// A user who acts for no partner.
    User(UserId),
    /// Whoever has no credential, by address or network.
    Network(IpAddr),
}

/// Limits of those who read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadLimits {
    /// The most turns of all readers at the same time, if the database takes so many.
    pub lists: usize,
    /// The most turns of one reader at the same time.
    pub lists_per_reader: usize,
    /// How long a look-up, or a page of a list, may take in the database.
    pub time: Duration,
}

impl Default for ReadLimits {
    /// One list for each processor, and half of them for one reader, so that the other half is left to others.
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self { lists: processors.max(2), lists_per_reader: (processors / 2).max(1), time: READ_TIME_LIMIT }
    }
}

/// The turns of an engine. Clones share them.
#[derive(Clone)]
pub(crate) struct ListTurns {
    permits: FairPermits<Reader>,
    limit_hits: Arc<LimitHits>,
}

impl ListTurns {
    /// Turns to read lists, of which the database takes so many at the same time.
    pub(crate) fn new(connections: usize, limits: ReadLimits, limit_hits: Arc<LimitHits>) -> Self {
        let total = limits.lists.min(connections);
        let permits = FairPermits::new(FairLimits {
            total,
            per_caller: limits.lists_per_reader.clamp(1, total),
            waiting_per_caller: WAITING_PER_READER,
            waiting: WAITING_MAX,
        });
        Self { permits, limit_hits }
    }

    /// How many requests wait for a turn.
    pub(crate) fn waiting(&self) -> usize {
        self.permits.waiting()
    }

    /// Does some work for a reader: see [`Engine::read_as`](crate::Engine::read_as).
    pub(crate) async fn scope<T>(self, reader: Reader, work: impl Future<Output = T>) -> T {
        CURRENT.scope(ListTurn::new(reader, self), work).await
    }
}

/// A reader at work, with its turn if it has one.
pub struct ListTurn {
    reader: Reader,
    turns: ListTurns,
    permit: Mutex<Option<FairPermit<Reader>>>,
}

tokio::task_local! {
    static CURRENT: Arc<ListTurn>;
}

impl ListTurn {
    fn new(reader: Reader, turns: ListTurns) -> Arc<Self> {
        Arc::new(Self { reader, turns, permit: Mutex::default() })
    }

    /// Begins a turn, or goes on with the one that there is; whoever waits too long has none, and is told that the
    /// service is busy. Nobody who waits holds a turn.
    pub async fn begin() -> Result<(), Failure> {
        let Ok(turn) = CURRENT.try_with(Arc::clone) else { return Ok(()) };
        let (permits, held) = (&turn.turns.permits, turn.permit.lock().take());
        let permit = match held {
            Some(permit) if !permits.has_waiting(turn.reader) => permit,
            // Whoever waits comes first.
            held => {
                drop(held);
                let waited = tokio::time::timeout(TURN_WAIT_MAX, permits.acquire(turn.reader)).await;
                waited.ok().and_then(Result::ok).ok_or_else(|| {
                    turn.turns.limit_hits.record(Limit::ListReads);
                    Failure::Busy
                })?
            }
        };
        *turn.permit.lock() = Some(permit);
        Ok(())
    }

    /// Whether the task is in a turn.
    pub(crate) fn is_held() -> bool {
        CURRENT.try_with(|turn| turn.permit.lock().is_some()).unwrap_or(false)
    }

    /// Who reads here; `None` for the program's own.
    pub fn reader() -> Option<Reader> {
        CURRENT.try_with(|turn| turn.reader).ok()
    }

    /// The same work in a task of its own, by the reader of this one, which keeps its own turn.
    pub fn inherit<T>(work: impl Future<Output = T> + Send) -> impl Future<Output = T> + Send {
        let current = CURRENT.try_with(|turn| (turn.reader, turn.turns.clone())).ok();
        async move {
            match current {
                Some((reader, turns)) => turns.scope(reader, work).await,
                None => work.await,
            }
        }
    }

    /// Ends the turn: for whoever has rendered a page, and waits for its client before the next.
    pub fn end() {
        // Outside of the work of a reader there is none.
        let _ = CURRENT.try_with(|turn| turn.permit.lock().take());
    }
}
