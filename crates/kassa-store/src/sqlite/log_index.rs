//! The index of the log, `kassa.db-shm`: whether anybody has committed since one looked last, for one short system call and
//! none of the locks of a query.
//!
//! Each commit, by whatever program, changes the header of the index before it ends
//! (<https://sqlite.org/walformat.html>, section 2.1). Where the header is what it was, what was read since then is
//! what would be read now.

use std::ffi::OsString;
use std::fs::File;
use std::mem::ManuallyDrop;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::sync::atomic::{AtomicU8, Ordering};

use parking_lot::{Mutex, RwLock};
use rusqlite::Connection;

use super::connect;
use crate::error::StoreError;

/// The bytes of the header, which the index has twice, one behind the other.
const HEADER_BYTES: usize = 48;
/// Of these, that which says that the header was made.
const IS_MADE: usize = 12;

/// What the header of the index said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LogHeader([u8; HEADER_BYTES]);

impl LogHeader {
    /// Out of both copies. `None` while somebody writes them, and before anybody has.
    fn parse(copies: &[u8; 2 * HEADER_BYTES]) -> Option<Self> {
        let (first, second) = copies.as_chunks::<HEADER_BYTES>().0.split_at(1);
        (first == second && first[0][IS_MADE] != 0).then_some(Self(first[0]))
    }
}

/// The numbers of all writers with the versions of their rows.
type WriterVersions = Vec<(u16, i64)>;

/// The index of the log of one database file.
pub(super) struct LogIndex {
    /// Keeps it in use: the last connection that is closed removes it, and the next one makes another.
    _user: Mutex<Connection>,
    /// Never closed: when a process closes any descriptor of a file, it loses all locks that it has on the file, and so those
    /// of SQLite (<https://sqlite.org/src/artifact?ci=trunk&filename=src/os_unix.c>, "POSIX advisory locks").
    file: ManuallyDrop<File>,
    trust: AtomicU8,
    /// What rows of writers said, read after the header was seen.
    versions: RwLock<Option<(LogHeader, WriterVersions)>>,
}

/// Whether commits were seen to change the header.
#[derive(Clone, Copy)]
enum Trust {
    Untried,
    Proved,
    /// The file system shows to one who reads a file something else than to one who has mapped it.
    Refuted,
}

impl LogIndex {
    /// The index of the database at `path`, which is made by now.
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let user = connect(path, true)?;
        // The first read maps the index.
        user.query_row("SELECT count(*) FROM sqlite_schema", (), |_| Ok(()))?;
        // SQLite resolves links before it names the index.
        let opened = std::fs::canonicalize(path).and_then(|path| {
            let mut name = OsString::from(path);
            name.push("-shm");
            File::open(name)
        });
        let file = opened.map_err(|error| StoreError::Unavailable(format!("the index of the log: {error}")))?;
        Ok(Self {
            _user: Mutex::new(user),
            file: ManuallyDrop::new(file),
            trust: AtomicU8::new(Trust::Untried as u8),
            versions: RwLock::new(None),
        })
    }

    /// The header as it is now. `None` if somebody is writing it, or it cannot be read.
    pub(super) fn header(&self) -> Option<LogHeader> {
        let mut copies = [0; 2 * HEADER_BYTES];
        self.file.read_exact_at(&mut copies, 0).ok()?;
        LogHeader::parse(&copies)
    }

    /// Told after each commit of this program, with the header before it: what a commit does not change says nothing.
    pub(super) fn record_commit(&self, before: Option<LogHeader>) {
        let Some(before) = before else { return };
        if self.header() != Some(before) {
            // Refuted stays refuted.
            let (untried, proved) = (Trust::Untried as u8, Trust::Proved as u8);
            let _ = self.trust.compare_exchange(untried, proved, Ordering::AcqRel, Ordering::Acquire);
        } else if self.trust.swap(Trust::Refuted as u8, Ordering::AcqRel) != Trust::Refuted as u8 {
            tracing::warn!(
                "the file system does not show commits in kassa.db-shm: answers that are kept cost a query each"
            );
        }
    }

    /// What rows of writers say, if it is known without asking. With what [`header`](Self::header) said just now.
    pub(super) fn versions_at(&self, header: Option<LogHeader>) -> Option<WriterVersions> {
        if self.trust.load(Ordering::Acquire) != Trust::Proved as u8 {
            return None;
        }
        let known = self.versions.read();
        known.as_ref().filter(|(at, _)| Some(*at) == header).map(|(_, versions)| versions.clone())
    }

    /// Remembers what rows of writers said when they were read after this header.
    pub(super) fn remember_versions(&self, header: Option<LogHeader>, versions: &[(u16, i64)]) {
        *self.versions.write() = header.map(|header| (header, versions.to_vec()));
    }
}

#[cfg(test)]
mod tests;
