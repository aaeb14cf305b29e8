//! The statements of a table, made from its columns. Rows that belong to an event are named by tag and id, and
//! a statement is about rows of one tag: a sharded database runs it in one place. There a table may go by the name of
//! one of its shards: each statement is told how to call it.

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
pub(super) fn select<R: MappedRow>(table: &str, condition: &str, locks: bool) -> String {
    select_from::<R>(table, "", condition, locks)
}

/// The same, with more in the FROM clause.
pub(super) fn select_from<R: MappedRow>(table: &str, others: &str, condition: &str, locks: bool) -> String {
    let columns = qualified_columns::<R>();
    let keys: Vec<String> = key_columns::<R>().map(|name| format!("t.{name}")).collect();
    let lock = if locks && safeguard::is_enabled(Safeguard::RowLock) { " FOR UPDATE OF t" } else { "" };
    format!("SELECT {columns} FROM {table} AS t{others} WHERE {condition} ORDER BY {}{lock}", keys.join(", "))
}

/// Whether a statement that finds rows by their keys is about one shard. Rows of lanes that are only read may be on several:
/// some read those of all lanes.
pub(super) fn names_shard<R: MappedRow>(locks: bool) -> bool {
    R::is_tagged() || locks && R::shard_column().is_some()
}

/// Rows by their keys. Parameters: the number that says the shard, if it names one, and an array for each key column.
pub(super) fn by_key<R: MappedRow>(table: &str, locks: bool) -> String {
    let keys: Vec<&str> = key_columns::<R>().collect();
    let shard = R::shard_column().filter(|_| names_shard::<R>(locks));
    let shard = shard.map(|column| format!("t.{column} = $1 AND ")).unwrap_or_default();
    let first = if names_shard::<R>(locks) { 2 } else { 1 };
    let named = if let [key] = keys.as_slice() {
        format!("t.{key} = ANY(${first})")
    } else {
        let arrays: Vec<String> = key_parts::<R>().zip(first..).map(|(column, at)| array_param(column, at)).collect();
        format!("(t.{}) IN (SELECT * FROM UNNEST({}))", keys.join(", t."), arrays.join(", "))
    };
    select::<R>(table, &format!("{shard}{named}"), locks)
}

/// New rows. Parameters: the tag, where there is one, and an array for each other column.
pub(super) fn insert<R: MappedRow>(table: &str) -> String {
    let columns: Vec<&Column> = R::COLUMNS.iter().filter(|column| column.role != ColumnRole::Tag).collect();
    let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
    let values: Vec<String> = names.iter().map(|name| format!("u.{name}")).collect();
    let (tag, its_value) = if R::is_tagged() { ("tag, ", "$1::bigint, ") } else { ("", "") };
    let (names, values) = (names.join(", "), values.join(", "));
    let rows = unnested_rows(&columns, &names, if R::is_tagged() { 2 } else { 1 });
    format!("INSERT INTO {table} ({tag}{names}, version) SELECT {its_value}{values}, 1 FROM {rows}")
}

/// New rows of a database that is spread, by the names of its tables, where what breaks a constraint shall be told as such.
/// Parameters: the values of each row in turn, as [`insert`] has them, behind the tag, where there is one.
pub(super) fn insert_values<R: MappedRow>(table: &str, rows: u64) -> String {
    let columns: Vec<&Column> = R::COLUMNS.iter().filter(|column| column.role != ColumnRole::Tag).collect();
    let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
    let (tag, its_value, first) = if R::is_tagged() { ("tag, ", "$1::bigint, ", 2) } else { ("", "", 1) };
    let mut params = first..;
    let rows: Vec<String> = (0..rows)
        .map(|_| {
            let values = columns.iter().zip(params.by_ref());
            let values: Vec<String> = values.map(|(column, at)| format!("${at}::{}", sql_type(column.kind))).collect();
            format!("({its_value}{}, 1)", values.join(", "))
        })
        .collect();
    format!("INSERT INTO {table} ({tag}{}, version) VALUES {}", names.join(", "), rows.join(", "))
}

/// New values of rows. Parameters: the number that says the shard, where there is one, and an array for each key column,
/// for the version, and for each free column.
pub(super) fn update<R: MappedRow>(table: &str) -> String {
    let free: Vec<&Column> = R::COLUMNS.iter().filter(|column| column.role.is_mutable()).collect();
    let columns: Vec<&Column> = key_parts::<R>().chain([&VERSION_COLUMN]).chain(free.iter().copied()).collect();
    let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
    let mut sets: Vec<String> = free.iter().map(|column| format!("{0} = u.{0}", column.name)).collect();
    sets.push("version = t.version + 1".to_owned());
    let rows = unnested_rows(&columns, &names.join(", "), first_array_param::<R>());
    format!("UPDATE {table} AS t SET {} FROM {rows} WHERE {}", sets.join(", "), version_guard::<R>())
}

/// Rows that go. Parameters: the number that says the shard, where there is one, and an array for each key column and for
/// the version.
pub(super) fn delete<R: MappedRow>(table: &str) -> String {
    let columns: Vec<&Column> = key_parts::<R>().chain([&VERSION_COLUMN]).collect();
    let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
    let rows = unnested_rows(&columns, &names.join(", "), first_array_param::<R>());
    format!("DELETE FROM {table} AS t USING {rows} WHERE {}", version_guard::<R>())
}

/// Rows as they are elsewhere. Parameters: an array for each column, and for the version.
pub(super) fn copy<R: MappedRow>() -> String {
    let columns: Vec<&Column> = R::COLUMNS.iter().chain([&VERSION_COLUMN]).collect();
    let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
    let arrays: Vec<String> = columns.iter().zip(1..).map(|(column, at)| array_param(column, at)).collect();
    let (table, names, arrays) = (R::TABLE, names.join(", "), arrays.join(", "));
    format!("INSERT INTO {table} ({names}) SELECT {names} FROM UNNEST({arrays}) AS u({names})")
}

/// A statement that fails unless it meets as many rows as this further parameter says: it divides by zero then.
pub(super) fn requiring_rows(text: &str, param: usize) -> String {
    format!("WITH met AS ({text} RETURNING 1) SELECT 1 / (COUNT(*) = ${param}::bigint)::integer FROM met")
}

/// The mark of a batch in the row of its node. Parameters: the number of the node, and the mark.
pub(super) fn mark_commit(table: &str) -> String {
    format!("UPDATE {table} SET commit_marker = $2 WHERE number = $1")
}

const VERSION_COLUMN: Column = Column { name: "version", kind: ColumnKind::Int, role: ColumnRole::Mutable };

fn key_parts<R: MappedRow>() -> impl Iterator<Item = &'static Column> {
    R::COLUMNS.iter().filter(|column| column.role.is_key())
}

/// The number of the first array among the parameters.
fn first_array_param<R: MappedRow>() -> usize {
    if R::shard_column().is_some() { 2 } else { 1 }
}

fn array_param(column: &Column, at: usize) -> String {
    format!("${at}::{}[]", sql_type(column.kind))
}

/// The rows of the statement itself, as `u`, from the parameter `first` on.
fn unnested_rows(columns: &[&Column], names: &str, first: usize) -> String {
    let arrays: Vec<String> = columns.iter().zip(first..).map(|(column, at)| array_param(column, at)).collect();
    format!("UNNEST({}) AS u({names})", arrays.join(", "))
}

/// Each row as it was loaded. The array of keys is there twice: a planner that knows nothing of the table yet
/// would read all rows of the event to join them with the statement's.
fn version_guard<R: MappedRow>() -> String {
    let mut conditions: Vec<String> = Vec::new();
    conditions.extend(R::shard_column().map(|column| format!("t.{column} = $1")));
    for (at, key) in (first_array_param::<R>()..).zip(key_columns::<R>()) {
        conditions.push(format!("t.{key} = ANY(${at}) AND t.{key} = u.{key}"));
    }
    let is_guarded = safeguard::is_enabled(Safeguard::VersionCheck);
    conditions.push(if is_guarded { "t.version = u.version" } else { "u.version IS NOT NULL" }.to_owned());
    conditions.join(" AND ")
}
