//! The statements of a table, made from its columns. Rows that belong to an event are named by tag and id, and
//! a statement on a sharded database is about rows of one tag, which runs it in one place. There a table may go by the name of
//! one of its shards: each statement is told how to call it. A statement that a server runs on its own rows takes
//! those of all tags of a batch, each with its own: what a batch costs is how many statements it has.

use kassa_domain::safeguard::{self, Safeguard};

use super::shards::TableRef;
use crate::rows::{Column, ColumnKind, ColumnRole, MappedRow};

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
pub(super) fn select<R: MappedRow>(table: &TableRef, condition: &str, locks: bool) -> String {
    select_from::<R>(table, "", condition, locks)
}

/// The same, with more in the FROM clause.
pub(super) fn select_from<R: MappedRow>(table: &TableRef, others: &str, condition: &str, locks: bool) -> String {
    let columns = qualified_columns::<R>();
    let keys: Vec<String> = found_by::<R>(table).map(|column| format!("t.{}", column.name)).collect();
    let lock = if locks && safeguard::is_enabled(Safeguard::RowLock) { " FOR UPDATE OF t" } else { "" };
    format!("SELECT {columns} FROM {} AS t{others} WHERE {condition} ORDER BY {}{lock}", table.name, keys.join(", "))
}

/// Whether a statement that finds rows by their keys is about one shard. Rows of lanes that are only read may be on several:
/// some read those of all lanes.
pub(super) fn names_shard<R: MappedRow>(locks: bool) -> bool {
    R::is_tagged() || locks && R::shard_column().is_some()
}

/// Rows by their keys. Parameters: the number that says the shard, if it names one, and an array for each column that
/// [`found_by`] names.
pub(super) fn by_key<R: MappedRow>(table: &TableRef, locks: bool) -> String {
    let keys: Vec<&Column> = found_by::<R>(table).collect();
    let shard = R::shard_column().filter(|_| names_shard::<R>(locks) && !table.spans_tags);
    let first = if shard.is_some() { 2 } else { 1 };
    let shard = shard.map(|column| format!("t.{column} = $1 AND ")).unwrap_or_default();
    match keys.as_slice() {
        [key] => select::<R>(table, &format!("{shard}t.{} = ANY(${first})", key.name), locks),
        keys if table.spans_tags => {
            let conditions: Vec<String> = keys.iter().map(|column| joined(column)).collect();
            select_from::<R>(table, &format!(", {}", unnested_rows(keys, 1)), &conditions.join(" AND "), locks)
        }
        keys => {
            let arrays: Vec<String> = keys.iter().zip(first..).map(|(column, at)| array_param(column, at)).collect();
            let parts: Vec<String> = keys.iter().map(|column| format!("t.{}", column.name)).collect();
            let condition = format!("({}) IN (SELECT * FROM UNNEST({}))", parts.join(", "), arrays.join(", "));
            select::<R>(table, &format!("{shard}{condition}"), locks)
        }
    }
}

/// New rows of a server that has them itself. Parameters: an array for each column.
pub(super) fn insert<R: MappedRow>(table: &TableRef) -> String {
    let columns: Vec<&Column> = R::COLUMNS.iter().collect();
    let values: Vec<String> = columns.iter().map(|column| format!("u.{}", column.name)).collect();
    let (names, values, rows) = (names_of(&columns), values.join(", "), unnested_rows(&columns, 1));
    format!("INSERT INTO {} ({names}, version) SELECT {values}, 1 FROM {rows}", table.name)
}

/// New rows of a database that is spread, by the names of its tables, where what breaks a constraint shall be told as such.
/// Parameters: the tag, where there is one, and the values of each row in turn in its other columns.
pub(super) fn insert_values<R: MappedRow>(table: &TableRef, rows: u64) -> String {
    let columns: Vec<&Column> = R::COLUMNS.iter().filter(|column| column.role != ColumnRole::Tag).collect();
    let (tag, its_value, first) = if R::is_tagged() { ("tag, ", "$1::bigint, ", 2) } else { ("", "", 1) };
    let mut params = first..;
    let rows: Vec<String> = (0..rows)
        .map(|_| {
            let values = columns.iter().zip(params.by_ref());
            let values: Vec<String> = values.map(|(column, at)| format!("${at}::{}", sql_type(column.kind))).collect();
            format!("({its_value}{}, 1)", values.join(", "))
        })
        .collect();
    format!("INSERT INTO {} ({tag}{}, version) VALUES {}", table.name, names_of(&columns), rows.join(", "))
}

/// New values of rows. Parameters: the number that says the shard, where it names one, and an array for each column that
/// [`found_by`] names, for the version, and for each free column.
pub(super) fn update<R: MappedRow>(table: &TableRef) -> String {
    let free: Vec<&Column> = R::COLUMNS.iter().filter(|column| column.role.is_mutable()).collect();
    let columns: Vec<&Column> = found_by::<R>(table).chain([&VERSION_COLUMN]).chain(free.iter().copied()).collect();
    let mut sets: Vec<String> = free.iter().map(|column| format!("{0} = u.{0}", column.name)).collect();
    sets.push("version = t.version + 1".to_owned());
    let rows = unnested_rows(&columns, first_array_param::<R>(table));
    format!("UPDATE {} AS t SET {} FROM {rows} WHERE {}", table.name, sets.join(", "), version_guard::<R>(table))
}

/// Rows that go. Parameters: the number that says the shard, where it names one, and an array for each column that
/// [`found_by`] names, and for the version.
pub(super) fn delete<R: MappedRow>(table: &TableRef) -> String {
    let columns: Vec<&Column> = found_by::<R>(table).chain([&VERSION_COLUMN]).collect();
    let rows = unnested_rows(&columns, first_array_param::<R>(table));
    format!("DELETE FROM {} AS t USING {rows} WHERE {}", table.name, version_guard::<R>(table))
}

/// Rows as they are elsewhere. Parameters: an array for each column, and for the version.
pub(super) fn copy<R: MappedRow>() -> String {
    let columns: Vec<&Column> = R::COLUMNS.iter().chain([&VERSION_COLUMN]).collect();
    let names = names_of(&columns);
    format!("INSERT INTO {} ({names}) SELECT {names} FROM {}", R::TABLE, unnested_rows(&columns, 1))
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

/// The columns by which a statement finds rows: the key, behind the tag, where the statement may be about several.
pub(super) fn found_by<R: MappedRow>(table: &TableRef) -> impl Iterator<Item = &'static Column> {
    let spans_tags = table.spans_tags;
    let tag = R::COLUMNS.iter().filter(move |column| spans_tags && column.role == ColumnRole::Tag);
    tag.chain(R::COLUMNS.iter().filter(|column| column.role.is_key()))
}

/// The number of the first array among the parameters.
fn first_array_param<R: MappedRow>(table: &TableRef) -> usize {
    if R::shard_column().is_some() && !table.spans_tags { 2 } else { 1 }
}

fn names_of(columns: &[&Column]) -> String {
    columns.iter().map(|column| column.name).collect::<Vec<_>>().join(", ")
}

fn array_param(column: &Column, at: usize) -> String {
    format!("${at}::{}[]", sql_type(column.kind))
}

/// The rows of the statement itself, as `u`, from the parameter `first` on.
pub(super) fn unnested_rows(columns: &[&Column], first: usize) -> String {
    let arrays: Vec<String> = columns.iter().zip(first..).map(|(column, at)| array_param(column, at)).collect();
    format!("UNNEST({}) AS u({})", arrays.join(", "), names_of(columns))
}

pub(super) fn joined(column: &Column) -> String {
    format!("t.{0} = u.{0}", column.name)
}

/// Each row as it was loaded. Where the statement may be about several tags, nothing but its own rows says which: so each of
/// them is looked for by its key. Otherwise the array of keys is there twice: a planner that knows nothing of the table yet
/// would read all rows of the event to join them with the statement's.
fn version_guard<R: MappedRow>(table: &TableRef) -> String {
    let mut conditions: Vec<String> = Vec::new();
    if !table.spans_tags {
        conditions.extend(R::shard_column().map(|column| format!("t.{column} = $1")));
        let keys = found_by::<R>(table).zip(first_array_param::<R>(table)..);
        conditions.extend(keys.map(|(key, at)| format!("t.{} = ANY(${at})", key.name)));
    }
    conditions.extend(found_by::<R>(table).map(joined));
    let is_guarded = safeguard::is_enabled(Safeguard::VersionCheck);
    conditions.push(if is_guarded { "t.version = u.version" } else { "u.version IS NOT NULL" }.to_owned());
    conditions.join(" AND ")
}
