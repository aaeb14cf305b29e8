//! One table in memory.

use std::collections::{BTreeMap, HashMap};

use kassa_domain::safeguard::{self, Safeguard};
use kassa_domain::view::{Row, Table};

use crate::error::StoreError;

/// What a table refuses.
pub trait RowConstraints: Row {
    /// Its UNIQUE constraints besides the key: what no other row of the table may have, too.
    fn unique_values(&self) -> Vec<String> {
        Vec::new()
    }

    /// Whether the row keeps to the CHECK constraints.
    fn satisfies_checks(&self) -> bool {
        true
    }
}

/// A row in memory.
struct StoredRow<R> {
    row: R,
    version: i64,
    /// Its place among the rows that were ever put in.
    stamp: i64,
}

/// The rows of a table with their versions, and who has which unique value.
pub struct TableStorage<R: RowConstraints> {
    rows: BTreeMap<R::Key, StoredRow<R>>,
    /// Rows that were ever put in.
    inserted: i64,
    key_by_unique_value: HashMap<String, R::Key>,
}

impl<R: RowConstraints> Default for TableStorage<R> {
    fn default() -> Self {
        Self { rows: BTreeMap::new(), inserted: 0, key_by_unique_value: HashMap::new() }
    }
}

impl<R: RowConstraints> TableStorage<R> {
    /// All rows, by key.
    pub fn rows(&self) -> impl Iterator<Item = &R> {
        self.rows.values().map(|stored| &stored.row)
    }

    /// The versions of all rows, by key.
    pub fn versions(&self) -> impl Iterator<Item = (R::Key, i64)> {
        self.rows.iter().map(|(key, stored)| (*key, stored.version))
    }

    /// All rows, by key, and the order in which they were put in.
    pub(crate) fn stamped_rows(&self) -> impl Iterator<Item = (&R, i64)> {
        self.rows.values().map(|stored| (&stored.row, stored.stamp))
    }

    /// A row.
    pub fn get(&self, key: R::Key) -> Option<&R> {
        self.rows.get(&key).map(|stored| &stored.row)
    }

    pub(crate) fn get_with_version(&self, key: R::Key) -> Option<(&R, i64)> {
        self.rows.get(&key).map(|stored| (&stored.row, stored.version))
    }

    /// Refuses changes that the table of this name would refuse, as a whole.
    pub(crate) fn check(&self, name: &str, table: &Table<R>) -> Result<(), StoreError> {
        let mut claimed: HashMap<String, R::Key> = HashMap::new();
        let changes = table.changes();
        for change in &changes {
            let found = self.rows.get(&change.key).map_or(0, |stored| stored.version);
            if found != change.version && safeguard::is_enabled(Safeguard::VersionCheck) {
                return Err(StoreError::Conflict(format!("{name} {:?}", change.key)));
            }
            let Some(row) = change.row else { continue };
            if !row.satisfies_checks() {
                return Err(StoreError::Constraint(format!("check of {name}")));
            }
            for unique in row.unique_values() {
                // A value is free again when the row that had it gives it up in this batch.
                let holder = self.key_by_unique_value.get(&unique).filter(|key| {
                    let kept = |row: &R| row.unique_values().contains(&unique);
                    **key != change.key
                        && changes.iter().find(|c| c.key == **key).is_none_or(|c| c.row.is_some_and(kept))
                });
                if holder.is_some() || claimed.insert(unique, change.key).is_some_and(|other| other != change.key) {
                    return Err(StoreError::Constraint(format!("unique value of {name}")));
                }
            }
        }
        Ok(())
    }

    /// Writes changes that were checked.
    pub(crate) fn write(&mut self, table: &Table<R>) {
        for change in table.changes() {
            let old = self.rows.remove(&change.key);
            if let Some(old) = &old {
                for unique in old.row.unique_values() {
                    if self.key_by_unique_value.get(&unique) == Some(&change.key) {
                        self.key_by_unique_value.remove(&unique);
                    }
                }
            }
            if let Some(row) = change.row {
                for unique in row.unique_values() {
                    self.key_by_unique_value.insert(unique, change.key);
                }
                let stamp = old.map_or(self.inserted + 1, |old| old.stamp);
                self.inserted = self.inserted.max(stamp);
                let stored = StoredRow { row: row.clone(), version: change.version + 1, stamp };
                self.rows.insert(change.key, stored);
            }
        }
    }
}
