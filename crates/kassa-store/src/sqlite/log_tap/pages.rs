//! Pages that were written.

use std::collections::BTreeMap;

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
