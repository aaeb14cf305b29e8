//! The statements that write a table, made from its columns once.

use kassa_domain::guard::{self, Guard};

use crate::queries::{column_list, key_columns};
use crate::rows::{Mapped, Part};

/// What the writer runs for one table.
#[derive(Clone, Debug)]
pub(super) struct Texts {
    /// Parameters: all columns.
    pub(super) insert: String,
    /// Parameters: the free columns, the key, the version.
    pub(super) update: String,
    /// Parameters: the key, the version.
    pub(super) delete: String,
}

impl Texts {
    pub(super) fn of<R: Mapped>() -> Self {
        let marks: Vec<String> = (1..=R::COLUMNS.len()).map(|at| format!("?{at}")).collect();
        let insert = format!("INSERT INTO {} ({}) VALUES ({}, 1)", R::TABLE, column_list::<R>(), marks.join(", "));
        let free: Vec<&str> = R::COLUMNS.iter().filter(|c| c.part == Part::Free).map(|c| c.name).collect();
        let mut sets: Vec<String> = free.iter().enumerate().map(|(at, name)| format!("{name} = ?{}", at + 1)).collect();
        sets.push("version = version + 1".to_owned());
        let update = format!("UPDATE {} SET {} WHERE {}", R::TABLE, sets.join(", "), guard::<R>(free.len()));
        let delete = format!("DELETE FROM {} WHERE {}", R::TABLE, guard::<R>(0));
        Self { insert, update, delete }
    }
}

/// The row by its key, if it still has the version that was loaded.
fn guard<R: Mapped>(before: usize) -> String {
    let mut at = before;
    let mut conditions: Vec<String> = Vec::new();
    for name in key_columns::<R>().chain(["version"]) {
        at += 1;
        conditions.push(format!("{name} = ?{at}"));
    }
    if !guard::is_on(Guard::Version) {
        conditions.pop();
        conditions.push(format!("?{at} IS NOT NULL"));
    }
    conditions.join(" AND ")
}

/// Rows by their whole key.
pub(super) fn by_key<R: Mapped>() -> String {
    let conditions: Vec<String> =
        key_columns::<R>().enumerate().map(|(at, name)| format!("{name} = ?{}", at + 1)).collect();
    format!("SELECT {} FROM {} WHERE {}", column_list::<R>(), R::TABLE, conditions.join(" AND "))
}

/// Rows by a condition.
pub(super) fn by<R: Mapped>(condition: &str) -> String {
    format!("SELECT {} FROM {} WHERE {condition}", column_list::<R>(), R::TABLE)
}
