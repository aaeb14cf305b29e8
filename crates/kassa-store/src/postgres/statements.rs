//! The statements of a table, made from its columns. Rows that belong to an event are named by tag and id, and
//! a statement is about rows of one tag: a sharded database runs it in one place.

use kassa_domain::safeguard::{self, Safeguard};

use crate::rows::{Column, ColumnKind, ColumnRole, MappedRow, key_columns};

fn sql_type(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Int => "bigint",
        ColumnKind::Text | ColumnKind::Json => "text",
        ColumnKind::Blob | ColumnKind::Compressed => "bytea",
    }
}

/// The columns of a table and `version`, as a SELECT lists them.
pub(super) fn qualified_columns<R: MappedRow>() -> String {
    let names: Vec<String> =
        R::COLUMNS.iter().map(|column| column.name).chain(["version"]).map(|name| format!("t.{name}")).collect();
    names.join(", ")
}

/// Rows by a condition on `t`, in the order of their keys, in which everybody locks.
pub(super) fn select<R: MappedRow>(condition: &str, locks: bool) -> String {
    select_from::<R>("", condition, locks)
}

/// The same, with more in the FROM clause.
pub(super) fn select_from<R: MappedRow>(others: &str, condition: &str, locks: bool) -> String {
    let (columns, table) = (qualified_columns::<R>(), R::TABLE);
    let keys: Vec<String> = key_columns::<R>().map(|name| format!("t.{name}")).collect();
    let lock = if locks && safeguard::is_enabled(Safeguard::RowLock) { " FOR UPDATE OF t" } else { "" };
    format!("SELECT {columns} FROM {table} AS t{others} WHERE {condition} ORDER BY {}{lock}", keys.join(", "))
}

/// Rows by their keys. Parameters: the tag, where there is one, and an array for each key column.
pub(super) fn by_key<R: MappedRow>(locks: bool) -> String {
    let keys: Vec<&str> = key_columns::<R>().collect();
    match keys.as_slice() {
        [key] if R::is_tagged() => select::<R>(&format!("t.tag = $1 AND t.{key} = ANY($2)"), locks),
        [key] => select::<R>(&format!("t.{key} = ANY($1)"), locks),
        keys => {
            let params = key_parts::<R>().zip(first_array_param::<R>()..);
            let arrays: Vec<String> = params.map(|(column, at)| array_param(column, at)).collect();
            let (names, arrays) = (keys.join(", t."), arrays.join(", "));
            let tag = if R::is_tagged() { "t.tag = $1 AND " } else { "" };
            select::<R>(&format!("{tag}(t.{names}) IN (SELECT * FROM UNNEST({arrays}))"), locks)
        }
    }
}

/// New rows. Parameters: the tag, where there is one, and an array for each other column.
pub(super) fn insert<R: MappedRow>() -> String {
    let columns: Vec<&Column> = R::COLUMNS.iter().filter(|column| column.role != ColumnRole::Tag).collect();
    let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
    let values: Vec<String> = names.iter().map(|name| format!("u.{name}")).collect();
    let (tag, its_value) = if R::is_tagged() { ("tag, ", "$1::bigint, ") } else { ("", "") };
    let (table, names, values) = (R::TABLE, names.join(", "), values.join(", "));
    let rows = unnested_rows::<R>(&columns, &names);
    format!("INSERT INTO {table} ({tag}{names}, version) SELECT {its_value}{values}, 1 FROM {rows}")
}

/// New values of rows. Parameters: the tag, where there is one, and an array for each key column, for the
/// version, and for each free column.
pub(super) fn update<R: MappedRow>() -> String {
    let free: Vec<&Column> = R::COLUMNS.iter().filter(|column| column.role.is_mutable()).collect();
    let columns: Vec<&Column> = key_parts::<R>().chain([&VERSION_COLUMN]).chain(free.iter().copied()).collect();
    let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
    let mut sets: Vec<String> = free.iter().map(|column| format!("{0} = u.{0}", column.name)).collect();
    sets.push("version = t.version + 1".to_owned());
    let rows = unnested_rows::<R>(&columns, &names.join(", "));
    format!("UPDATE {} AS t SET {} FROM {rows} WHERE {}", R::TABLE, sets.join(", "), version_guard::<R>())
}

/// Rows that go. Parameters: the tag, where there is one, and an array for each key column and for the version.
pub(super) fn delete<R: MappedRow>() -> String {
    let columns: Vec<&Column> = key_parts::<R>().chain([&VERSION_COLUMN]).collect();
    let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
    let rows = unnested_rows::<R>(&columns, &names.join(", "));
    format!("DELETE FROM {} AS t USING {rows} WHERE {}", R::TABLE, version_guard::<R>())
}

/// Rows as they are elsewhere. Parameters: an array for each column, and for the version.
pub(super) fn copy<R: MappedRow>() -> String {
    let columns: Vec<&Column> = R::COLUMNS.iter().chain([&VERSION_COLUMN]).collect();
    let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
    let arrays: Vec<String> = columns.iter().zip(1..).map(|(column, at)| array_param(column, at)).collect();
    let (table, names, arrays) = (R::TABLE, names.join(", "), arrays.join(", "));
    format!("INSERT INTO {table} ({names}) SELECT {names} FROM UNNEST({arrays}) AS u({names})")
}

const VERSION_COLUMN: Column = Column { name: "version", kind: ColumnKind::Int, role: ColumnRole::Mutable };

fn key_parts<R: MappedRow>() -> impl Iterator<Item = &'static Column> {
    R::COLUMNS.iter().filter(|column| column.role == ColumnRole::Key)
}

/// The number of the first array among the parameters.
fn first_array_param<R: MappedRow>() -> usize {
    if R::is_tagged() { 2 } else { 1 }
}

fn array_param(column: &Column, at: usize) -> String {
    format!("${at}::{}[]", sql_type(column.kind))
}

/// The rows of the statement itself, as `u`.
fn unnested_rows<R: MappedRow>(columns: &[&Column], names: &str) -> String {
    let arrays: Vec<String> =
        columns.iter().zip(first_array_param::<R>()..).map(|(column, at)| array_param(column, at)).collect();
    format!("UNNEST({}) AS u({names})", arrays.join(", "))
}

/// Each row as it was loaded. The array of keys is there twice: a planner that knows nothing of the table yet
/// would read all rows of the event to join them with the statement's.
fn version_guard<R: MappedRow>() -> String {
    let mut conditions: Vec<String> = Vec::new();
    if R::is_tagged() {
        conditions.push("t.tag = $1".to_owned());
    }
    for (at, key) in (first_array_param::<R>()..).zip(key_columns::<R>()) {
        conditions.push(format!("t.{key} = ANY(${at}) AND t.{key} = u.{key}"));
    }
    let is_guarded = safeguard::is_enabled(Safeguard::VersionCheck);
    conditions.push(if is_guarded { "t.version = u.version" } else { "u.version IS NOT NULL" }.to_owned());
    conditions.join(" AND ")
}
