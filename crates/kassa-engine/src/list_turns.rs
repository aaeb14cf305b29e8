//! Turns of those who read lists. A list is read and rendered in pages; for each page its reader has a turn, and turns
//! are shared out fairly between readers (see [`crate::fair_permits`]). So whoever reads lists all the time, by however
//! many connections, takes no more of the database and of the processors than its share.
//!
//! Who reads is known where a request comes in, and lists are read far below: between the two it travels with the
//! task. [`ListTurn::scope`] says who reads in a piece of work, and [`ListTurn::inherit`] hands it on to a task that goes
//! on with a list. What runs outside of both is the program's own: it waits for nobody.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use kassa_domain::partner::PartnerId;
use kassa_domain::user::UserId;
use kassa_store::READ_TIME_LIMIT;
use parking_lot::Mutex;

use crate::fair_permits::{FairLimits, FairPermit, FairPermits};

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
    /// The most turns of one reader at the same time.
    pub lists_per_reader: usize,
    /// How long a look-up, or a page of a list, may take in the database.
    pub time: Duration,
}

impl Default for ReadLimits {
    /// Half of the processors for one reader, so that the other half is left to others.
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self { lists_per_reader: (processors / 2).max(1), time: READ_TIME_LIMIT }
    }
}

/// The turns of an engine.
pub(crate) type ListTurns = FairPermits<Reader>;

/// Turns to read this many lists at the same time.
pub(crate) fn list_turns(total: usize, limits: ReadLimits) -> ListTurns {
    FairPermits::new(FairLimits {
        total,
        per_caller: limits.lists_per_reader.clamp(1, total),
        waiting_per_caller: WAITING_PER_READER,
        waiting: WAITING_MAX,
    })
}

/// Too many others read lists.
pub(crate) struct NoTurn;

/// A reader at work, with its turn if it has one.
pub struct ListTurn {
    reader: Reader,
    permit: Mutex<Option<FairPermit<Reader>>>,
}

tokio::task_local! {
    static CURRENT: Arc<ListTurn>;
}

impl ListTurn {
    fn new(reader: Reader) -> Arc<Self> {
        Arc::new(Self { reader, permit: Mutex::default() })
    }

    /// Does some work for a reader: the lists that it reads there are counted as its own. A turn begins with the first
    /// page, and ends with the work; where others wait, also with the next page.
    pub async fn scope<T>(reader: Reader, work: impl Future<Output = T>) -> T {
        CURRENT.scope(Self::new(reader), work).await
    }

    /// Begins a turn, or goes on with the one that there is; whoever waits too long has none. Nobody who waits holds a
    /// turn.
    pub(crate) async fn begin(turns: &ListTurns) -> Result<(), NoTurn> {
        let Ok(turn) = CURRENT.try_with(Arc::clone) else { return Ok(()) };
        let held = turn.permit.lock().take();
        let permit = match held {
            Some(permit) if !turns.has_waiting(turn.reader) => permit,
            // Whoever waits comes first.
            held => {
                drop(held);
                let waited = tokio::time::timeout(TURN_WAIT_MAX, turns.acquire(turn.reader)).await;
                waited.ok().and_then(Result::ok).ok_or(NoTurn)?
            }
        };
        *turn.permit.lock() = Some(permit);
        Ok(())
    }

    /// Who reads here; `None` for the program's own.
    pub fn reader() -> Option<Reader> {
        CURRENT.try_with(|turn| turn.reader).ok()
    }

    /// The same work in a task of its own, by the reader of this one, which keeps its own turn.
    pub fn inherit<T>(work: impl Future<Output = T> + Send) -> impl Future<Output = T> + Send {
        let reader = Self::reader();
        async move {
            match reader {
                Some(reader) => CURRENT.scope(Self::new(reader), work).await,
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
