//! Turns of those who read lists. A list is read and rendered in pages; for each page its reader has a turn, and turns
//! are shared out fairly between readers (see [`crate::fair_permits`]). So whoever reads lists all the time, by however
//! many connections, takes no more of the database and of the processors than its share.
//!
//! Who reads is known where a request comes in, and lists are read far below: between the two it travels with the
//! task. `Engine::read_as` says who reads in a piece of work, and [`ListTurn::inherit`] hands it on to a task that goes
//! on with a list. What runs outside of both is the program's own: it waits for nobody.
//!
//! A long turn in which somebody wrote is followed by a rest: see [`Turn`].

use std::net::IpAddr;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kassa_domain::partner::PartnerId;
use kassa_domain::user::UserId;
use kassa_store::READ_TIME_LIMIT;
use kassa_store::memory_budget::MemoryMeter;
use parking_lot::Mutex;
use tokio::runtime::Handle;
use tokio::task::JoinError;
use tokio::time::Instant;

use crate::failure::Failure;
use crate::fair_permits::{FairLimits, FairPermit, FairPermits};
use crate::metrics::{Limit, LimitHits};

/// How long a reader waits for its turn, and how long in the middle of a list: that would break off.
const TURN_WAIT_MAX: Duration = Duration::from_secs(5);
const NEXT_TURN_WAIT_MAX: Duration = Duration::from_secs(30);
/// The most requests that wait for a turn: of one reader, and in all.
const WAITING_PER_READER: usize = 128;
const WAITING_MAX: usize = 1_024;
/// A turn that took longer in which somebody wrote is followed by a rest of the same length, at most [`REST_MAX`].
const SHORT_TURN: Duration = Duration::from_millis(10);
const REST_MAX: Duration = Duration::from_millis(250);

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
pub(crate) struct ListTurns(Arc<SharedTurns>);

struct SharedTurns {
    permits: FairPermits<Reader>,
    limit_hits: Arc<LimitHits>,
    write_count: WriteCount,
}

/// Another number once somebody has written.
pub(crate) type WriteCount = Box<dyn Fn() -> u64 + Send + Sync>;

impl ListTurns {
    /// Turns to read lists, of which the database takes so many at the same time.
    pub(crate) fn new(
        connections: usize,
        limits: ReadLimits,
        limit_hits: Arc<LimitHits>,
        write_count: WriteCount,
    ) -> Self {
        let total = limits.lists.min(connections);
        let permits = FairPermits::new(FairLimits {
            total,
            per_caller: limits.lists_per_reader.clamp(1, total),
            waiting_per_caller: WAITING_PER_READER,
            waiting: WAITING_MAX,
        });
        Self(Arc::new(SharedTurns { permits, limit_hits, write_count }))
    }

    /// How many requests wait for a turn.
    pub(crate) fn waiting(&self) -> usize {
        self.0.permits.waiting()
    }

    /// Does some work for a reader: see [`Engine::read_as`](crate::Engine::read_as).
    pub(crate) async fn scope<T>(self, reader: Reader, work: impl Future<Output = T>) -> T {
        CURRENT.scope(ListTurn::new(reader, self), work).await
    }

    /// A turn of this reader, when it comes, but for too long a wait.
    async fn take(&self, reader: Reader, wait_max: Duration) -> Result<Turn, Failure> {
        let waited = tokio::time::timeout(wait_max, self.0.permits.acquire(reader)).await;
        let permit = waited.ok().and_then(Result::ok).ok_or_else(|| {
            self.0.limit_hits.record(Limit::ListReads);
            Failure::Busy
        })?;
        let start = (Instant::now(), (self.0.write_count)());
        Ok(Turn { permit: Some(permit), start, turns: self.clone() })
    }
}

/// A turn that somebody has.
struct Turn {
    /// Until it is dropped.
    permit: Option<FairPermit<Reader>>,
    /// When it began, and the count of writes then.
    start: (Instant, u64),
    turns: ListTurns,
}

impl Turn {
    /// How long nobody else has this turn when it ends now. Lists share the processors with sales, and with PostgreSQL
    /// on the same machine the database's own, which no priority of ours reaches: so they leave half of the time.
    fn rest(&self) -> Option<Duration> {
        let (began, writes) = self.start;
        let took = began.elapsed();
        (took > SHORT_TURN && (self.turns.0.write_count)() != writes).then(|| took.min(REST_MAX))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let permit = self.permit.take();
        // Without a runtime the program is about to end.
        if let (Some(rest), Ok(runtime)) = (self.rest(), Handle::try_current()) {
            runtime.spawn(async move {
                tokio::time::sleep(rest).await;
                drop(permit);
            });
        }
    }
}

/// A reader at work, with its turn if it has one.
pub struct ListTurn {
    reader: Reader,
    turns: ListTurns,
    turn: Mutex<Option<Turn>>,
    /// Whether it is in the middle of a list.
    has_begun: AtomicBool,
}

tokio::task_local! {
    static CURRENT: Arc<ListTurn>;
}

impl ListTurn {
    fn new(reader: Reader, turns: ListTurns) -> Arc<Self> {
        Arc::new(Self { reader, turns, turn: Mutex::default(), has_begun: AtomicBool::new(false) })
    }

    /// Begins a turn, or goes on with the one that there is; whoever waits too long has none, and is told that the
    /// service is busy. Nobody who waits holds a turn.
    pub async fn begin() -> Result<(), Failure> {
        let Ok(current) = CURRENT.try_with(Arc::clone) else { return Ok(()) };
        let held = current.turn.lock().take();
        let turn = match held {
            Some(turn) if !current.turns.0.permits.has_waiting(current.reader) => turn,
            // Whoever waits comes first.
            held => {
                drop(held);
                let has_begun = current.has_begun.load(Ordering::Relaxed);
                let wait_max = if has_begun { NEXT_TURN_WAIT_MAX } else { TURN_WAIT_MAX };
                current.turns.take(current.reader, wait_max).await?
            }
        };
        *current.turn.lock() = Some(turn);
        Ok(())
    }

    /// Reads to the end, whether anybody still waits for it or not: the database does so, too, and the turn of a reader is over
    /// when that is done, and not when its request is gone.
    pub(crate) fn read_out<T: Send + 'static>(
        read: impl Future<Output = T> + Send + 'static,
    ) -> impl Future<Output = T> + Send {
        // Reads are long, and whoever waits for one keeps room for it.
        let read = Box::pin(read);
        async move {
            let Ok(current) = CURRENT.try_with(Arc::clone) else { return read.await };
            let read = CURRENT.scope(current, read);
            let reading = match MemoryMeter::try_current() {
                Some(meter) => tokio::spawn(meter.scope(read)),
                None => tokio::spawn(read),
            };
            match reading.await.map_err(JoinError::try_into_panic) {
                Ok(read) => read,
                Err(Ok(panic)) => resume_unwind(panic),
                // The runtime is about to end, and whoever waits with it.
                Err(Err(_)) => std::future::pending().await,
            }
        }
    }

    /// Whether the task is in a turn.
    pub(crate) fn is_held() -> bool {
        CURRENT.try_with(|current| current.turn.lock().is_some()).unwrap_or(false)
    }

    /// Who reads here; `None` for the program's own.
    pub fn reader() -> Option<Reader> {
        CURRENT.try_with(|current| current.reader).ok()
    }

    /// The rest of a list in a task of its own, by the reader of this one, which keeps its own turn.
    pub fn inherit<T>(work: impl Future<Output = T> + Send) -> impl Future<Output = T> + Send {
        let current = CURRENT.try_with(|current| (current.reader, current.turns.clone())).ok();
        async move {
            match current {
                Some((reader, turns)) => {
                    let rest = ListTurn::new(reader, turns);
                    rest.has_begun.store(true, Ordering::Relaxed);
                    CURRENT.scope(rest, work).await
                }
                None => work.await,
            }
        }
    }

    /// Ends the turn: for whoever has rendered a page, and waits for its client before the next.
    pub fn end() {
        // Outside of the work of a reader there is none.
        let _ = CURRENT.try_with(|current| current.turn.lock().take());
    }
}
