//! The statements that write a table, made from its columns once.

use kassa_domain::safeguard::{self, Safeguard};

use super::compression::compress;
use crate::cell::Cell;
use crate::rows::{ColumnKind, ColumnRole, MappedRow, column_list, key_columns};

/// What the writer runs for one table.
#[derive(Clone, Debug)]
pub(super) struct WriteStatements {
    /// Parameters: all columns.
    pub(super) insert: String,
    /// For each choice of indexed columns, by its bits. Parameters: of the columns those that it writes, the key, the version.
    pub(super) updates: Vec<String>,
    /// Parameters: the key, the version.
    pub(super) delete: String,
    /// The places of columns that are compressed.
    compressed: Vec<usize>,
}

impl WriteStatements {
    pub(super) fn for_table<R: MappedRow>() -> Self {
        let marks: Vec<String> = (1..=R::COLUMNS.len()).map(|at| format!("?{at}")).collect();
        let insert = format!("INSERT INTO {} ({}) VALUES ({}, 1)", R::TABLE, column_list::<R>(), marks.join(", "));
        let updates = (0..=IndexedColumns::all::<R>().0).map(|bits| update::<R>(IndexedColumns(bits))).collect();
        let delete = format!("DELETE FROM {} WHERE {}", R::TABLE, version_guard::<R>(0));
        let is_compressed = |at: &usize| R::COLUMNS[*at].kind == ColumnKind::Compressed;
        Self { insert, updates, delete, compressed: (0..R::COLUMNS.len()).filter(is_compressed).collect() }
    }

    /// The values of a row, as they are stored, in the order of the columns.
    pub(super) fn write_row<'a, R: MappedRow>(&self, row: &'a R, out: &mut Vec<Cell<'a>>) {
        let first = out.len();
        row.write(out);
        for at in &self.compressed {
            out[first + at] = compress(&out[first + at]);
        }
    }
}

/// Some of a table's indexed columns: a bit for each, the first is the lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct IndexedColumns(pub(super) usize);

impl IndexedColumns {
    /// All that a table has.
    pub(super) fn all<R: MappedRow>() -> Self {
        let count = R::COLUMNS.iter().filter(|column| column.role == ColumnRole::Indexed).count();
        Self((1 << count) - 1)
    }

    /// Those in which two rows differ.
    pub(super) fn changed<R: MappedRow>(before: &R, after: &R) -> Self {
        let (mut old, mut new) = (Vec::new(), Vec::new());
        before.write_indexed(&mut old);
        after.write_indexed(&mut new);
        Self(old.iter().zip(&new).enumerate().map(|(at, (old, new))| usize::from(old != new) << at).sum())
    }

    /// For each column of a table, whether an update writes it.
    pub(super) fn written<R: MappedRow>(self) -> impl Iterator<Item = bool> {
        let mut bits = self.0;
        R::COLUMNS.iter().map(move |column| match column.role {
            ColumnRole::Key | ColumnRole::ShardKey | ColumnRole::Tag | ColumnRole::Immutable => false,
            ColumnRole::Mutable => true,
            ColumnRole::Indexed => {
                let is_chosen = bits & 1 == 1;
                bits >>= 1;
                is_chosen
            }
        })
    }
}

fn update<R: MappedRow>(indexed: IndexedColumns) -> String {
    let written = R::COLUMNS.iter().zip(indexed.written::<R>()).filter(|(_, is_written)| *is_written);
    let mut sets: Vec<String> = written.zip(1..).map(|((column, _), at)| format!("{} = ?{at}", column.name)).collect();
    let guard = version_guard::<R>(sets.len());
    sets.push("version = version + 1".to_owned());
    format!("UPDATE {} SET {} WHERE {guard}", R::TABLE, sets.join(", "))
}

/// The row by its key, if it still has the version that was loaded.
fn version_guard<R: MappedRow>(before: usize) -> String {
    let mut at = before;
    let mut conditions: Vec<String> = Vec::new();
    for name in key_columns::<R>().chain(["version"]) {
        at += 1;
        conditions.push(format!("{name} = ?{at}"));
    }
    if !safeguard::is_enabled(Safeguard::VersionCheck) {
        conditions.pop();
        conditions.push(format!("?{at} IS NOT NULL"));
    }
    conditions.join(" AND ")
}

/// Rows by their whole key.
pub(super) fn select_by_key<R: MappedRow>() -> String {
    let conditions: Vec<String> =
        key_columns::<R>().enumerate().map(|(at, name)| format!("{name} = ?{}", at + 1)).collect();
    format!("SELECT {} FROM {} WHERE {}", column_list::<R>(), R::TABLE, conditions.join(" AND "))
}

/// Rows by a condition.
pub(super) fn select_where<R: MappedRow>(condition: &str) -> String {
    format!("SELECT {} FROM {} WHERE {condition}", column_list::<R>(), R::TABLE)
}
