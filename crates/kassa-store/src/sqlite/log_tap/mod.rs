//! Follows the write-ahead log, so that what is committed can be kept elsewhere, too, without a gap.
//!
//! The log starts anew when all of it was moved into the file and nobody reads from it: what stood there is overwritten. So
//! a *bar* is held: a transaction that reads, and is no newer than what was taken of the log. SQLite itself lets no program
//! write over frames that a reader may want. When the log shall start anew, all of it is taken and moved; a bar that is
//! raised then reads from the file alone, lets the log start anew once, and nothing of the new one be moved until it goes.

mod frames;
mod pages;
mod position;
#[cfg(test)]
mod tests;

pub use pages::{LogPages, PageFile};
pub use position::{LogPosition, MalformedPosition};

use std::path::{Path, PathBuf};

use parking_lot::Mutex;
use rusqlite::Connection;
use rusqlite::backup::Backup;
use rusqlite::config::DbConfig;

use self::frames::{LogRead, end_of_log, has_position, read_log};
use super::{connect, execute};
use crate::error::StoreError;

/// How much is held that nobody has fetched; the rest waits in the log.
const TAKEN_BYTES_MAX: usize = 64 * 1024 * 1024;
/// A log that is longer than this, in bytes, is not held for those who do not fetch it.
const LOG_BYTES_MAX: u64 = 1024 * 1024 * 1024;

/// What was committed since somebody fetched it last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogPiece {
    /// The pages.
    pub pages: LogPages,
    /// Up to where.
    pub end: LogPosition,
}

/// Follows the log of a database. The program that serves it has one, if it shall.
#[derive(Debug)]
pub struct LogTap {
    database: PathBuf,
    log: PathBuf,
    state: Mutex<TapState>,
}

#[derive(Debug)]
struct TapState {
    /// `None` if the log is not followed.
    bar: Option<Bar>,
    /// Up to where the log was taken; `None` if there was none yet.
    taken_to: Option<LogPosition>,
    /// What was taken and not fetched.
    taken: LogPages,
}

/// A transaction that reads: the log does not start anew before it.
#[derive(Debug)]
struct Bar(Connection);

impl Bar {
    fn raise(database: &Path) -> Result<Self, StoreError> {
        let connection = connect(database, false)?;
        // The last of a program leaves the log as it is: whoever comes next goes on with it.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        execute(&connection, "BEGIN")?;
        connection.query_row("SELECT count(*) FROM sqlite_schema", (), |_| Ok(()))?;
        Ok(Self(connection))
    }
}

impl LogTap {
    /// Follows the log from where it was followed before, if it has not started anew since: what was taken of the one before,
    /// and not fetched, went with its program. In this program nobody may have written to it.
    pub(super) fn open(database: &Path, from: Option<LogPosition>) -> Result<Self, StoreError> {
        let mut log = database.as_os_str().to_owned();
        log.push("-wal");
        let state = TapState { bar: None, taken_to: from, taken: LogPages::new(0) };
        let tap = Self { database: database.to_owned(), log: log.into(), state: Mutex::new(state) };
        if let Some(from) = from {
            tap.resume(from)?;
        }
        Ok(tap)
    }

    fn resume(&self, from: LogPosition) -> Result<(), StoreError> {
        let mut state = self.state.lock();
        self.between_commits(|| {
            let bar = Bar::raise(&self.database)?;
            if has_position(&self.log, from).map_err(|error| self.unreadable(&error))? {
                state.bar = Some(bar);
                self.read_on(&mut state)
            } else {
                state.give_up();
                Ok(())
            }
        })
    }

    /// Whether what is committed is taken without a gap. If not, [`LogTap::begin`] begins anew.
    pub fn is_following(&self) -> bool {
        self.state.lock().bar.is_some()
    }

    /// Follows the log from now on. A [copy](LogTap::copy_to) that is made later has all that was committed before.
    pub fn begin(&self) -> Result<(), StoreError> {
        let mut state = self.state.lock();
        let bar = self.between_commits(|| {
            let bar = Bar::raise(&self.database)?;
            Ok((bar, end_of_log(&self.log).map_err(|error| self.unreadable(&error))?))
        });
        let (bar, end) = bar?;
        *state = TapState { bar: Some(bar), taken_to: end, taken: LogPages::new(0) };
        Ok(())
    }

    /// What was committed since it was asked last; `None` if nothing was, or if the log is not followed.
    pub fn fetch(&self) -> Result<Option<LogPiece>, StoreError> {
        let mut state = self.state.lock();
        self.advance(&mut state)?;
        let Some(end) = state.taken_to.filter(|_| state.bar.is_some() && !state.taken.is_empty()) else {
            return Ok(None);
        };
        let pages = std::mem::replace(&mut state.taken, LogPages::new(0));
        Ok(Some(LogPiece { pages, end }))
    }

    /// Follows the log no more: what was fetched is lost.
    pub fn give_up(&self) {
        self.state.lock().give_up();
    }

    /// Takes back what could not be kept elsewhere: it comes with what is fetched next.
    pub fn put_back(&self, piece: LogPiece) {
        let mut state = self.state.lock();
        let later = std::mem::replace(&mut state.taken, piece.pages);
        state.taken.add_later(later);
    }

    /// Copies the database as of now, page by page, into an empty file, which is on the disk then. All that was fetched
    /// before is in it. Whoever works on the database goes on meanwhile.
    pub fn copy_to(&self, file: &Path) -> Result<(), StoreError> {
        let source = self.between_commits(|| Bar::raise(&self.database))?;
        let mut copy = Connection::open(file)?;
        // All at once: what is copied in several steps begins anew whenever somebody writes.
        Backup::new(&source.0, &mut copy)?.step(-1)?;
        drop((copy, source));
        PageFile::open(file)?.settle()
    }

    /// Takes what there is before somebody has to wait for the rest.
    pub(super) fn take(&self) -> Result<(), StoreError> {
        self.advance(&mut self.state.lock())
    }

    /// Lets `move_log` move all of the log, and the log start anew then. In this program nobody may write meanwhile.
    pub(super) fn let_start_anew<T>(&self, move_log: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
        let mut state = self.state.lock();
        self.advance(&mut state)?;
        let moved = move_log()?;
        if state.bar.is_some() && state.taken.bytes() <= TAKEN_BYTES_MAX {
            // The one before goes when this one stands.
            state.bar = Some(Bar::raise(&self.database)?);
        }
        Ok(moved)
    }

    /// Whether the log must not start anew, since nobody fetches what is in it. One that is too long is given up.
    pub(super) fn holds_back(&self) -> bool {
        let mut state = self.state.lock();
        if state.bar.is_none() || state.taken.bytes() <= TAKEN_BYTES_MAX {
            return false;
        }
        let bytes = std::fs::metadata(&self.log).map_or(0, |log| log.len());
        if bytes > LOG_BYTES_MAX {
            tracing::error!(bytes, "the log is too long to be held any longer: it is followed no more");
            state.give_up();
        }
        state.bar.is_some()
    }

    /// Takes what was committed, and moves the bar behind it.
    fn advance(&self, state: &mut TapState) -> Result<(), StoreError> {
        if state.bar.is_none() || state.taken.bytes() > TAKEN_BYTES_MAX {
            return Ok(());
        }
        let bar = Bar::raise(&self.database)?;
        self.read_on(state)?;
        // The one before goes only now: what this one reads was taken.
        state.bar = state.bar.take().map(|_| bar);
        Ok(())
    }

    fn read_on(&self, state: &mut TapState) -> Result<(), StoreError> {
        match read_log(&self.log, state.taken_to).map_err(|error| self.unreadable(&error))? {
            LogRead::More(pages, end) => {
                state.taken.add_later(pages);
                state.taken_to = Some(end);
            }
            LogRead::Nothing => {}
            LogRead::Broken => {
                tracing::warn!("the log does not go on where it was left: it is followed no more");
                state.give_up();
            }
        }
        Ok(())
    }

    /// Does something while nobody writes, in no program.
    fn between_commits<T>(&self, work: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
        let connection = connect(&self.database, false)?;
        execute(&connection, "BEGIN IMMEDIATE")?;
        let done = work();
        execute(&connection, "ROLLBACK")?;
        done
    }

    fn unreadable(&self, error: &std::io::Error) -> StoreError {
        StoreError::Unavailable(format!("{}: {error}", self.log.display()))
    }
}

impl TapState {
    fn give_up(&mut self) {
        (self.bar, self.taken_to, self.taken) = (None, None, LogPages::new(0));
    }
}
