//! The statements that write a table, made from its columns once.

use kassa_domain::safeguard::{self, Safeguard};

use crate::rows::{ColumnRole, MappedRow, column_list, key_columns};

/// What the writer runs for one table.
#[derive(Clone, Debug)]
pub(super) struct WriteStatements {
    /// Parameters: all columns.
    pub(super) insert: String,
    /// Parameters: the free columns, the key, the version.
    pub(super) update: String,
    /// Parameters: the key, the version.
    pub(super) delete: String,
}

impl WriteStatements {
    pub(super) fn for_table<R: MappedRow>() -> Self {
        let marks: Vec<String> = (1..=R::COLUMNS.len()).map(|at| format!("?{at}")).collect();
        let insert = format!("INSERT INTO {} ({}) VALUES ({}, 1)", R::TABLE, column_list::<R>(), marks.join(", "));
        let free: Vec<&str> = R::COLUMNS.iter().filter(|c| c.role == ColumnRole::Mutable).map(|c| c.name).collect();
        let mut sets: Vec<String> = free.iter().enumerate().map(|(at, name)| format!("{name} = ?{}", at + 1)).collect();
        sets.push("version = version + 1".to_owned());
        let update = format!("UPDATE {} SET {} WHERE {}", R::TABLE, sets.join(", "), version_guard::<R>(free.len()));
        let delete = format!("DELETE FROM {} WHERE {}", R::TABLE, version_guard::<R>(0));
        Self { insert, update, delete }
    }
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
