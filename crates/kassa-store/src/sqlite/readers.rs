//! Connections that read. Look-ups by key have their own: no list, whoever asks for it, holds one up.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;
use std::time::Duration;

use futures_util::future::BoxFuture;
use parking_lot::Mutex;
use rusqlite::Connection;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use super::{connect, execute};
use crate::error::StoreError;

/// Connections for look-ups by key, and those for lists, scans and sums.
const LOOKUP_CONNECTIONS: u32 = 4;
pub(super) const LIST_CONNECTIONS: u32 = 4;
/// Recounts of an event take as long as they take, one at a time.
const RECOUNT_CONNECTIONS: u32 = 1;
/// Pages that a connection keeps, in KiB. Lists walk over what they may not come by again.
const LOOKUP_CACHE_KIB: i64 = 16 * 1024;
const LIST_CACHE_KIB: i64 = 8 * 1024;

/// Steps of a statement between two looks at the clock: a fraction of a millisecond.
const STEPS_PER_LOOK: i32 = 10_000;
/// The deadline of a read that has none.
const NO_DEADLINE: u64 = u64::MAX;

/// What a read is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadClass {
    /// A handful of rows by key.
    LookUp,
    /// A page of a list, a scan, a sum, or very many rows by key.
    List,
    /// An event, counted again: of no limited duration.
    Recount,
}

/// All connections that read.
pub(super) struct Readers {
    path: PathBuf,
    lookups: ReaderPool,
    lists: ReaderPool,
    recounts: ReaderPool,
    time_limit_ms: AtomicU64,
    /// What deadlines are counted from.
    start: Instant,
}

struct ReaderPool {
    connections: u32,
    cache_kib: i64,
    permits: Arc<Semaphore>,
    idle: Mutex<Vec<ReadConnection>>,
}

/// A connection whose statements end at the deadline of their read.
struct ReadConnection {
    connection: Connection,
    /// In milliseconds since the start.
    deadline: Arc<AtomicU64>,
}

impl ReaderPool {
    fn new(connections: u32, cache_kib: i64) -> Self {
        Self { connections, cache_kib, permits: Arc::new(Semaphore::new(connections as usize)), idle: Mutex::default() }
    }
}

impl Readers {
    /// Readers of the file at `path`. Each connection is opened when it is first needed; one is now, so that a file
    /// that cannot be read is noticed.
    pub(super) fn open(path: &Path, time_limit: Duration) -> Result<Self, StoreError> {
        let readers = Self {
            path: path.to_owned(),
            lookups: ReaderPool::new(LOOKUP_CONNECTIONS, LOOKUP_CACHE_KIB),
            lists: ReaderPool::new(LIST_CONNECTIONS, LIST_CACHE_KIB),
            recounts: ReaderPool::new(RECOUNT_CONNECTIONS, LIST_CACHE_KIB),
            time_limit_ms: AtomicU64::new(0),
            start: Instant::now(),
        };
        readers.set_time_limit(time_limit);
        let first = readers.connect(&readers.lookups)?;
        readers.lookups.idle.lock().push(first);
        Ok(readers)
    }

    pub(super) fn set_time_limit(&self, limit: Duration) {
        self.time_limit_ms.store(u64::try_from(limit.as_millis()).unwrap_or(NO_DEADLINE), Ordering::Relaxed);
    }

    /// How long one read may take.
    pub(super) fn time_limit(&self) -> Duration {
        Duration::from_millis(self.time_limit_ms.load(Ordering::Relaxed))
    }

    fn pool(&self, class: ReadClass) -> &ReaderPool {
        match class {
            ReadClass::LookUp => &self.lookups,
            ReadClass::List => &self.lists,
            ReadClass::Recount => &self.recounts,
        }
    }

    /// A place among those that read. It waits behind a gate that is closed.
    pub(super) async fn admit(&self, class: ReadClass) -> Result<OwnedSemaphorePermit, StoreError> {
        let closed = |_| StoreError::Unavailable("the database was closed".to_owned());
        Arc::clone(&self.pool(class).permits).acquire_owned().await.map_err(closed)
    }

    /// How many more reads of a class could begin.
    #[cfg(test)]
    pub(super) fn free_connections(&self, class: ReadClass) -> usize {
        self.pool(class).permits.available_permits()
    }

    /// One read transaction on an idle connection: everything is seen as of one moment. For whoever was admitted.
    pub(super) fn read<T>(
        &self,
        class: ReadClass,
        read: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let (pool, reader) = (self.pool(class), self.take(class)?);
        execute(&reader.connection, "BEGIN")?;
        let result = read(&reader.connection);
        reader.deadline.store(NO_DEADLINE, Ordering::Relaxed);
        // A read has nothing to commit; a connection that cannot end it is not used again.
        execute(&reader.connection, "COMMIT")?;
        pool.idle.lock().push(reader);
        result
    }

    /// The same of a single statement, which is a transaction by itself.
    pub(super) fn read_once<T>(
        &self,
        class: ReadClass,
        read: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let (pool, reader) = (self.pool(class), self.take(class)?);
        let result = read(&reader.connection);
        reader.deadline.store(NO_DEADLINE, Ordering::Relaxed);
        pool.idle.lock().push(reader);
        result
    }

    /// A connection that nobody uses, with the deadline of a read that begins now.
    fn take(&self, class: ReadClass) -> Result<ReadConnection, StoreError> {
        let pool = self.pool(class);
        let idle = pool.idle.lock().pop();
        let reader = match idle {
            Some(reader) => reader,
            None => self.connect(pool)?,
        };
        reader.deadline.store(self.deadline(class), Ordering::Relaxed);
        Ok(reader)
    }

    fn deadline(&self, class: ReadClass) -> u64 {
        match class {
            ReadClass::LookUp | ReadClass::List => {
                self.elapsed_ms().saturating_add(self.time_limit_ms.load(Ordering::Relaxed))
            }
            ReadClass::Recount => NO_DEADLINE,
        }
    }

    fn elapsed_ms(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(NO_DEADLINE)
    }

    fn connect(&self, pool: &ReaderPool) -> Result<ReadConnection, StoreError> {
        let mut connection = connect(&self.path, true)?;
        connection.pragma_update(None, "cache_size", -pool.cache_kib)?;
        let (deadline, start) = (Arc::new(AtomicU64::new(NO_DEADLINE)), self.start);
        let its = Arc::clone(&deadline);
        let is_over = move || match its.load(Ordering::Relaxed) {
            NO_DEADLINE => false,
            deadline => start.elapsed().as_millis() > u128::from(deadline),
        };
        connection.progress_handler(STEPS_PER_LOOK, Some(is_over))?;
        Ok(ReadConnection { connection, deadline })
    }

    /// Keeps others from beginning a read of this class, and waits for those that have begun: until what is returned
    /// is dropped, nobody reads. `None` when they have not ended by then. Blocks the thread.
    pub(super) fn close_gate(&self, class: ReadClass, wait_max: Duration) -> Option<OwnedSemaphorePermit> {
        let pool = self.pool(class);
        // The semaphore is fair: whoever comes later waits behind this.
        block_on(Box::pin(Arc::clone(&pool.permits).acquire_many_owned(pool.connections)), wait_max)?.ok()
    }
}

/// Waits for a future on this thread, at most so long.
fn block_on<T>(mut future: BoxFuture<'_, T>, wait_max: Duration) -> Option<T> {
    struct Unpark(Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let start = Instant::now();
    loop {
        if let Poll::Ready(result) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return Some(result);
        }
        let left = wait_max.checked_sub(start.elapsed()).filter(|left| !left.is_zero())?;
        std::thread::park_timeout(left);
    }
}
