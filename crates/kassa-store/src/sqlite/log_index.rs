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

use parking_lot::{Mutex, RwLock};
use rusqlite::Connection;

use super::connect;
use crate::error::StoreError;

/// The bytes of the header, which the index has twice, one behind the other.
const HEADER_BYTES: usize = 48;
/// Where in it stands whether it was made, and what is drawn anew for each log that begins.
const IS_MADE: usize = 12;
const SALTS: std::ops::Range<usize> = 32..40;

/// What the header of the index said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LogHeader([u8; HEADER_BYTES]);

impl LogHeader {
    /// Out of both copies. `None` while somebody writes them, before anybody has, and of a log without a beginning: all of
    /// these have the same header.
    fn parse(copies: &[u8; 2 * HEADER_BYTES]) -> Option<Self> {
        let (first, second) = copies.as_chunks::<HEADER_BYTES>().0.split_at(1);
        let is_of_a_log = first[0][IS_MADE] != 0 && first[0][SALTS].iter().any(|byte| *byte != 0);
        (first == second && is_of_a_log).then_some(Self(first[0]))
    }
}

/// The numbers of all writers with the versions of their rows.
type WriterVersions = Vec<(u16, i64)>;

/// The index of the log of one database file.
pub(super) struct LogIndex {
    /// Keeps the index in use, and is used for nothing else: the last connection of all programs removes it, and the next one
    /// makes another. (Those of readers are given up when they fail.) Behind a lock only to be shared by threads.
    _user: Mutex<Connection>,
    /// `None` where there is none, as on file systems without shared memory. Never closed: when a process closes any descriptor
    /// of a file, it loses all locks that it has on the file, and so those of SQLite
    /// (<https://sqlite.org/src/artifact?ci=trunk&filename=src/os_unix.c>, "POSIX advisory locks").
    file: Option<ManuallyDrop<File>>,
    known: RwLock<Known>,
}

#[derive(Default)]
struct Known {
    trust: Trust,
    /// What rows of writers said, read after the header was seen.
    versions: Option<(LogHeader, WriterVersions)>,
}

/// Whether commits were seen to change the header.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Trust {
    #[default]
    Untried,
    Proved,
    /// The file system shows to one who reads a file something else than to one who has mapped it. It stays so.
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
        let file = match opened {
            Ok(file) => Some(ManuallyDrop::new(file)),
            Err(error) => {
                tracing::warn!(%error, "kassa.db-shm cannot be read: answers that are kept cost a query each");
                None
            }
        };
        Ok(Self { _user: Mutex::new(user), file, known: RwLock::default() })
    }

    /// The header as it is now. `None` if somebody is writing it, or it says nothing.
    pub(super) fn header(&self) -> Option<LogHeader> {
        let mut copies = [0; 2 * HEADER_BYTES];
        self.file.as_ref()?.read_exact_at(&mut copies, 0).ok()?;
        LogHeader::parse(&copies)
    }

    /// Told after each commit of this program that has written rows, with the header before it: whether commits are seen.
    pub(super) fn record_commit(&self, before: Option<LogHeader>) {
        let (Some(before), Some(after)) = (before, self.header()) else { return };
        let trust = self.known.read().trust;
        if before == after && trust != Trust::Refuted {
            self.known.write().trust = Trust::Refuted;
            tracing::warn!("a commit is not to be seen in kassa.db-shm: answers that are kept cost a query each");
        } else if trust == Trust::Untried {
            self.known.write().trust = Trust::Proved;
        }
    }

    /// What rows of writers say, if it is known without asking. With what [`header`](Self::header) said just now.
    pub(super) fn versions_at(&self, header: Option<LogHeader>) -> Option<WriterVersions> {
        let known = self.known.read();
        let (at, versions) = known.versions.as_ref().filter(|_| known.trust == Trust::Proved)?;
        (Some(*at) == header).then(|| versions.clone())
    }

    /// Remembers what rows of writers said when they were read after this header.
    pub(super) fn remember_versions(&self, header: Option<LogHeader>, versions: &[(u16, i64)]) {
        self.known.write().versions = header.map(|header| (header, versions.to_vec()));
    }
}

#[cfg(test)]
mod tests;
