//! Pages that were written, and the copies of a database that they are put into.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use crate::error::StoreError;

/// The newest images of the pages that some transactions wrote. Whoever has the database as it was before them, or at any
/// moment among them, and puts these in their places, has it as it was after them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogPages {
    /// The length of a page.
    pub page_bytes: usize,
    /// How many pages the database has.
    pub database_pages: u32,
    /// By their numbers, from 1 on.
    pub pages: BTreeMap<u32, Box<[u8]>>,
}

impl LogPages {
    pub(super) fn new(page_bytes: usize) -> Self {
        Self { page_bytes, database_pages: 0, pages: BTreeMap::new() }
    }

    /// Whether no transaction is in it.
    pub(super) fn is_empty(&self) -> bool {
        self.database_pages == 0
    }

    /// How much they take.
    pub fn bytes(&self) -> usize {
        self.pages.len() * self.page_bytes
    }

    /// Adds those of a later transaction.
    pub(super) fn add(&mut self, pages: BTreeMap<u32, Box<[u8]>>, database_pages: u32) {
        self.pages.extend(pages);
        self.database_pages = database_pages;
        self.pages.split_off(&database_pages.saturating_add(1));
    }

    /// Adds those of all later ones.
    pub(super) fn add_later(&mut self, later: Self) {
        if !later.is_empty() {
            self.page_bytes = later.page_bytes;
            self.add(later.pages, later.database_pages);
        }
    }
}

/// A copy of a database, which nobody has open, into which pages are put.
#[derive(Debug)]
pub struct PageFile {
    path: PathBuf,
    file: File,
}

impl PageFile {
    /// Opens a copy that [`super::LogTap::copy_to`] has made.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let file = File::options().read(true).write(true).open(path);
        let file = file.map_err(|error| unavailable(path, &error))?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Puts pages into their places.
    pub fn put(&self, pages: &LogPages) -> Result<(), StoreError> {
        let page_bytes = pages.page_bytes as u64;
        let put = || {
            for (number, bytes) in &pages.pages {
                self.file.write_all_at(bytes, u64::from(number.saturating_sub(1)) * page_bytes)?;
            }
            self.file.set_len(u64::from(pages.database_pages) * page_bytes)
        };
        put().map_err(|error| unavailable(&self.path, &error))
    }

    /// All pages are there: it is a database without a log, and on the disk.
    pub fn settle(&self) -> Result<(), StoreError> {
        let connection = Connection::open(&self.path)?;
        connection.pragma_update(None, "journal_mode", "DELETE")?;
        drop(connection);
        self.file.sync_all().map_err(|error| unavailable(&self.path, &error))
    }
}

fn unavailable(path: &Path, error: &io::Error) -> StoreError {
    StoreError::Unavailable(format!("{}: {error}", path.display()))
}
