//! Rows of one kind, with their versions and a way back.

use rustc_hash::FxHashMap;

use crate::model::row::Row;

/// The rows of one kind that a batch works on.
pub struct Table<R: Row> {
    slots: FxHashMap<R::Key, Slot<R>>,
    undo: Vec<(R::Key, Option<Slot<R>>)>,
    /// As they were loaded, the rows that were changed.
    loaded: FxHashMap<R::Key, R>,
}

struct Slot<R> {
    row: Option<R>,
    /// As stored; 0 when it is not.
    version: i64,
    touched: bool,
}

/// What a batch did to one row.
pub struct RowChange<'a, R: Row> {
    /// Which row.
    pub key: R::Key,
    /// The version that it must still have in the database; 0 when it must not be there.
    pub version: i64,
    /// What it shall be; `None` when it shall go.
    pub row: Option<&'a R>,
    /// What it was when it was loaded, if it was.
    pub loaded: Option<&'a R>,
}

impl<R: Row> Default for Table<R> {
    fn default() -> Self {
        Self { slots: FxHashMap::default(), undo: Vec::new(), loaded: FxHashMap::default() }
    }
}

impl<R: Row> Table<R> {
    /// A row as it is in the database; for drivers.
    pub fn load(&mut self, row: R, version: i64) {
        let key = row.key();
        self.slots.insert(key, Slot { row: Some(row), version, touched: false });
    }

    /// The row, if it is there.
    pub fn get(&self, key: R::Key) -> Option<&R> {
        self.slots.get(&key).and_then(|slot| slot.row.as_ref())
    }

    /// The row itself, without the others.
    pub fn into_row(mut self, key: R::Key) -> Option<R> {
        self.slots.remove(&key).and_then(|slot| slot.row)
    }

    /// The version under which the row was loaded.
    pub fn version(&self, key: R::Key) -> Option<i64> {
        self.slots.get(&key).map(|slot| slot.version)
    }

    /// All rows, in no order.
    pub fn rows(&self) -> impl Iterator<Item = &R> {
        self.slots.values().filter_map(|slot| slot.row.as_ref())
    }

    /// Adds the rows of another table, which nobody has changed.
    pub(super) fn extend(&mut self, other: Self) {
        debug_assert!(other.is_clean(), "rows of another batch");
        self.slots.extend(other.slots);
    }

    /// Adds or replaces a row.
    pub fn put(&mut self, row: R) {
        let key = row.key();
        self.set(key, Some(row));
    }

    /// Removes a row.
    pub fn remove(&mut self, key: R::Key) {
        self.set(key, None);
    }

    fn set(&mut self, key: R::Key, row: Option<R>) {
        let version = self.slots.get(&key).map_or(0, |slot| slot.version);
        let before = self.slots.insert(key, Slot { row, version, touched: true });
        self.undo.push((key, before));
    }

    #[inline]
    pub(super) fn accept_changes(&mut self) {
        // Of most kinds, most commands change none.
        if !self.undo.is_empty() {
            self.keep_loaded();
        }
    }

    /// Keeps rows that were changed for the first time as they were loaded.
    fn keep_loaded(&mut self) {
        for (key, before) in self.undo.drain(..) {
            if let Some(Slot { row: Some(row), touched: false, .. }) = before {
                self.loaded.insert(key, row);
            }
        }
    }

    pub(super) fn roll_back(&mut self) {
        for (key, before) in self.undo.drain(..).rev() {
            match before {
                Some(slot) => self.slots.insert(key, slot),
                None => self.slots.remove(&key),
            };
        }
    }

    /// The rows that were put since the changes were last accepted: what they were, and what they are.
    pub(crate) fn pending(&self) -> impl Iterator<Item = (Option<&R>, &R)> {
        let is_first = |at: usize, key: R::Key| !self.undo[..at].iter().any(|(other, _)| *other == key);
        let first = self.undo.iter().enumerate().filter(move |(at, (key, _))| is_first(*at, *key));
        first.filter_map(|(_, (key, before))| {
            let before = before.as_ref().and_then(|slot| slot.row.as_ref());
            self.get(*key).map(|after| (before, after))
        })
    }

    /// How many rows were put or removed since then, each as often as it was.
    pub(super) fn pending_rows(&self) -> usize {
        self.undo.len()
    }

    /// The keys of all rows that were put or removed.
    pub(super) fn touched(&self) -> impl Iterator<Item = R::Key> {
        self.slots.iter().filter(|(_, slot)| slot.touched).map(|(key, _)| *key)
    }

    /// Whether no row was changed.
    pub fn is_clean(&self) -> bool {
        self.slots.values().all(|slot| !slot.touched)
    }

    /// What must be written, by key.
    pub fn changes(&self) -> Vec<RowChange<'_, R>> {
        let mut changes: Vec<RowChange<'_, R>> = self
            .slots
            .iter()
            .filter(|(_, slot)| slot.touched && (slot.row.is_some() || slot.version > 0))
            .map(|(key, slot)| RowChange {
                key: *key,
                version: slot.version,
                row: slot.row.as_ref(),
                loaded: self.loaded.get(key),
            })
            .collect();
        changes.sort_unstable_by_key(|change| change.key);
        changes
    }
}
