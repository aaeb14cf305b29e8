//! Where the rows of a simulation are, and what is left of them when a server dies.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use kassa_store::memory::Memory;
use kassa_store::sqlite::Sqlite;
use kassa_store::{Store, StoreError};
use tempfile::TempDir;

/// Which database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatabaseDriver {
    /// Rows in memory, which two servers share.
    Memory,
    /// A file, which is opened anew after each crash as the dead process has left it.
    Sqlite,
}

/// A database that outlives its servers.
pub(crate) enum SimDatabase {
    /// In memory.
    Memory(Memory),
    /// A file in a folder of its own.
    Sqlite(SqliteFolder),
}

/// A folder with one file after the other.
pub(crate) struct SqliteFolder {
    folder: TempDir,
    opened: u32,
}

impl SimDatabase {
    /// An empty database.
    pub(crate) fn new(driver: DatabaseDriver) -> io::Result<Self> {
        Ok(match driver {
            DatabaseDriver::Memory => Self::Memory(Memory::with_sequencer()),
            DatabaseDriver::Sqlite => Self::Sqlite(SqliteFolder { folder: folder()?, opened: 0 }),
        })
    }

    /// How many servers share it.
    pub(crate) fn servers(&self) -> usize {
        match self {
            Self::Memory(_) => 2,
            Self::Sqlite(_) => 1,
        }
    }

    /// Opens it.
    pub(crate) fn open(&self) -> Result<Store, StoreError> {
        match self {
            Self::Memory(memory) => Ok(Store::Memory(memory.clone())),
            Self::Sqlite(folder) => Sqlite::open(&folder.file(""), false).map(Store::Sqlite),
        }
    }

    /// The server dies: from here on it is the files as they lie there, with a log that nobody has moved and
    /// connections that nobody has closed.
    pub(crate) fn crash(&mut self) -> io::Result<()> {
        let Self::Sqlite(folder) = self else { return Ok(()) };
        let before = ["", "-wal"].map(|end| folder.file(end));
        folder.opened += 1;
        for (from, end) in before.iter().zip(["", "-wal"]) {
            if from.exists() {
                fs::copy(from, folder.file(end))?;
                fs::remove_file(from)?;
            }
        }
        Ok(())
    }
}

impl SqliteFolder {
    fn file(&self, end: &str) -> PathBuf {
        self.folder.path().join(format!("{}.db{end}", self.opened))
    }
}

/// In memory where the system has such a place: what a crash of the machine leaves is no matter here.
fn folder() -> io::Result<TempDir> {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { TempDir::new_in(memory) } else { TempDir::new() }
}
