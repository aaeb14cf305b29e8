//! Moves the write-ahead log into the database file, beside the writes, and keeps it short.
//!
//! The log starts anew when all of it has been moved and nobody reads from it. Under constant load neither happens by
//! itself: it grows while it is moved, and readers that overlap always read from it. So when it has become long, the
//! rest is moved between two batches; and when that does not help, no new reader is admitted until those that read
//! have ended, which takes no longer than one read may take.

use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use parking_lot::{Condvar, Mutex, MutexGuard};
use rusqlite::Connection;
use tokio::time::Instant;

use super::connect;
use super::log_tap::LogTap;
use super::readers::{ReadClass, Readers};
use crate::error::StoreError;

/// How often the log is moved. Commits wait for the disk while it has the file to flush: often and little holds the
/// slowest of them up less than seldom and much.
const INTERVAL: Duration = Duration::from_millis(50);
const PAGE_BYTES: i64 = 4_096;
/// How long look-ups may take to end; each takes far less.
const LOOKUPS_WAIT_MAX: Duration = Duration::from_millis(100);
/// How much longer than one list may take the last of them are waited for.
const LISTS_WAIT_EXTRA: Duration = Duration::from_secs(1);
/// How long others who hold the file, such as a backup, may hold up whoever writes.
const RESTART_WAIT_MAX: Duration = Duration::from_millis(50);
/// How long the log is left alone when it could not start anew.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// Held by whoever writes, batch by batch, or keeps others from it for a moment.
pub(super) type WriteTurn = Arc<Mutex<()>>;

/// From which length of the log on what is done about it, in pages.
#[derive(Clone, Copy, Debug)]
pub(super) struct LogLimits {
    /// The rest is moved while nothing is written.
    pub(super) long: i64,
    /// Readers wait until it has started anew.
    pub(super) too_long: i64,
}

/// 32 and 64 MiB.
pub(super) const LOG_LIMITS: LogLimits = LogLimits { long: 8_192, too_long: 16_384 };

impl LogLimits {
    /// Pages of log that a commit moves by itself, more than the thread lets it come to.
    pub(super) fn autocheckpoint_pages(self) -> i64 {
        2 * self.too_long
    }

    /// Bytes of log that stay allocated when it starts anew: the rest goes back to the file system.
    pub(super) fn bytes_kept(self) -> i64 {
        self.too_long * PAGE_BYTES
    }
}

/// A thread with a connection of its own.
pub(super) struct Checkpointer {
    limits: LogLimits,
    write_turn: WriteTurn,
    stop: Arc<(Mutex<bool>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

impl Checkpointer {
    /// `tap` follows the log, if somebody wants what is in it.
    pub(super) fn start(
        path: &Path,
        readers: Arc<Readers>,
        limits: LogLimits,
        tap: Option<Arc<LogTap>>,
    ) -> Result<Self, StoreError> {
        let connection = connect(path, false)?;
        connection.busy_timeout(RESTART_WAIT_MAX)?;
        let (write_turn, stop) = (WriteTurn::default(), Arc::new((Mutex::new(false), Condvar::new())));
        let turn = Arc::clone(&write_turn);
        let mut log = Log { connection, readers, limits, tap, write_turn: turn, left_alone_since: None };
        let stopped = Arc::clone(&stop);
        let work = move || {
            let (mut stop, mut is_failing) = (stopped.0.lock(), false);
            while !*stop {
                stopped.1.wait_for(&mut stop, INTERVAL);
                MutexGuard::unlocked(&mut stop, || {
                    let moved = log.shorten();
                    match &moved {
                        Ok(()) if is_failing => tracing::info!("the log can be moved again"),
                        Err(error) if !is_failing => {
                            tracing::warn!(%error, "the log could not be moved; it will be tried again");
                        }
                        // Whatever has filled the disk, this adds no more lines to it.
                        Ok(()) | Err(_) => {}
                    }
                    is_failing = moved.is_err();
                });
            }
        };
        let thread = std::thread::Builder::new().name("checkpoint".to_owned()).spawn(work);
        let thread = thread.map_err(|error| StoreError::Unavailable(error.to_string()))?;
        Ok(Self { limits, write_turn, stop, thread: Some(thread) })
    }

    pub(super) fn limits(&self) -> LogLimits {
        self.limits
    }

    /// What a writer holds during a batch.
    pub(super) fn write_turn(&self) -> WriteTurn {
        Arc::clone(&self.write_turn)
    }
}

impl Drop for Checkpointer {
    fn drop(&mut self) {
        *self.stop.0.lock() = true;
        self.stop.1.notify_all();
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has logged it; there is nothing left to do for it.
            let _ = thread.join();
        }
    }
}

/// The log, as its thread sees it.
struct Log {
    connection: Connection,
    readers: Arc<Readers>,
    limits: LogLimits,
    tap: Option<Arc<LogTap>>,
    write_turn: WriteTurn,
    /// Since it could not start anew.
    left_alone_since: Option<Instant>,
}

impl Log {
    /// Moves what can be moved; the longer the log is, the more others have to wait for it.
    fn shorten(&mut self) -> Result<(), StoreError> {
        let pages = self.checkpoint("PASSIVE")?.pages;
        if self.tap.as_ref().is_some_and(|tap| tap.holds_back()) {
            return Ok(());
        }
        if pages > self.limits.long {
            if let Some(tap) = &self.tap {
                tap.take()?;
            }
            let _turn = self.write_turn.lock();
            self.move_all()?;
        }
        let is_left_alone = self.left_alone_since.is_some_and(|since| since.elapsed() < RETRY_AFTER);
        if pages > self.limits.too_long && !is_left_alone {
            let is_new = self.restart_without_readers()?;
            self.left_alone_since = (!is_new).then(Instant::now);
        }
        Ok(())
    }

    /// Lets the log start anew in a moment in which nobody of this program reads. Look-ups and commits wait only for
    /// the last of it. `false` if somebody else reads, or a read does not end.
    fn restart_without_readers(&self) -> Result<bool, StoreError> {
        let lists_wait_max = self.readers.time_limit() + LISTS_WAIT_EXTRA;
        let Some(_lists) = self.readers.close_gate(ReadClass::List, lists_wait_max) else { return Ok(false) };
        // What a long read has held back may be much.
        self.checkpoint("PASSIVE")?;
        let Some(_lookups) = self.readers.close_gate(ReadClass::LookUp, LOOKUPS_WAIT_MAX) else { return Ok(false) };
        let _turn = self.write_turn.lock();
        self.move_all()?;
        Ok(!self.checkpoint("RESTART")?.was_busy)
    }

    /// Moves what there is while nothing is written, and lets the log start anew where nobody reads from it.
    fn move_all(&self) -> Result<Checkpoint, StoreError> {
        let move_log = || self.checkpoint("PASSIVE");
        self.tap.as_ref().map_or_else(move_log, |tap| tap.let_start_anew(move_log))
    }

    fn checkpoint(&self, mode: &'static str) -> Result<Checkpoint, StoreError> {
        Ok(self.connection.query_row(&format!("PRAGMA wal_checkpoint({mode})"), [], |row| {
            Ok(Checkpoint { was_busy: row.get::<_, i64>(0)? != 0, pages: row.get(1)? })
        })?)
    }
}

/// What came of a checkpoint.
struct Checkpoint {
    /// Whether somebody was in the way.
    was_busy: bool,
    /// How many pages the log has.
    pages: i64,
}
