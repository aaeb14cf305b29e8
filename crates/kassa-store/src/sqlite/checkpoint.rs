//! Moves the write-ahead log into the database file, beside the writes.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use parking_lot::{Condvar, Mutex};
use rusqlite::Connection;

use super::connect;
use crate::error::StoreError;

/// How often the log is moved. Commits wait for the disk while it has the file to flush: often and little holds the
/// slowest of them up less than seldom and much.
const INTERVAL: Duration = Duration::from_millis(50);
/// Pages of log (4 KiB each) above which the writer itself finishes the work.
pub(super) const LOG_PAGES_MAX: i64 = 8_192;

/// A thread with a connection of its own.
pub(super) struct Checkpointer {
    writer_must_checkpoint: Arc<AtomicBool>,
    stop: Arc<(Mutex<bool>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

impl Checkpointer {
    pub(super) fn start(path: &Path) -> Result<Self, StoreError> {
        let connection = connect(path, false)?;
        let (due, stop) = (Arc::new(AtomicBool::new(false)), Arc::new((Mutex::new(false), Condvar::new())));
        let (flag, stopped) = (Arc::clone(&due), Arc::clone(&stop));
        let work = move || {
            let mut stop = stopped.0.lock();
            while !*stop {
                stopped.1.wait_for(&mut stop, INTERVAL);
                match checkpoint_passive(&connection) {
                    Ok(pages) => flag.store(pages > LOG_PAGES_MAX, Ordering::Relaxed),
                    Err(error) => tracing::warn!(%error, "the log could not be moved; it will be tried again"),
                }
            }
        };
        let thread = std::thread::Builder::new().name("checkpoint".to_owned()).spawn(work);
        let thread = thread.map_err(|error| StoreError::Unavailable(error.to_string()))?;
        Ok(Self { writer_must_checkpoint: due, stop, thread: Some(thread) })
    }

    /// The flag that asks the writer to finish.
    pub(super) fn writer_must_checkpoint(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.writer_must_checkpoint)
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

/// Moves what can be moved without waiting for anybody; returns how many pages the log has.
pub(super) fn checkpoint_passive(connection: &Connection) -> Result<i64, StoreError> {
    Ok(connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| row.get(1))?)
}
