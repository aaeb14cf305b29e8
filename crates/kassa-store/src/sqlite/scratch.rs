//! Files of tests, behind the program's back: rows are written past it, and constraints are listed and taken away.

use std::path::Path;

use rusqlite::Connection;

use crate::error::StoreError;
use crate::schema_migrations::{SQLITE_MIGRATIONS, next_step};

/// Runs statements on a file as somebody would who breaks it: no constraint stands in the way.
///
/// # Panics
/// Panics where a statement fails: then the test says nothing.
#[expect(clippy::expect_used, reason = "for tests")]
pub fn execute_unchecked(path: &Path, statements: &str) {
    let connection = Connection::open(path).expect("the file opens");
    connection.pragma_update(None, "ignore_check_constraints", true).expect("checks are left out");
    connection.execute_batch(statements).expect("the statements run");
}

/// Brings the schema of a file one step further than this program knows, as the next release does.
pub fn migrate_to_next_step(path: &Path, sql: &'static str) -> Result<(), StoreError> {
    let steps = [SQLITE_MIGRATIONS, &[next_step(SQLITE_MIGRATIONS, sql)]].concat();
    super::schema::migrate(&super::connect(path, false)?, &steps).map(drop)
}

/// Every statement that finds rows of a batch otherwise than by their whole key.
pub fn lookup_statements() -> Vec<String> {
    super::load::lookup_texts()
}

/// A database file, without the program that guards it.
pub struct RawDatabase(Connection);

/// What stands before the name of a CHECK.
const CONSTRAINT_KEYWORD: &str = "CONSTRAINT ";
/// Each unique index but for the keys of rows: its table, its name, where it comes from, and its columns.
const UNIQUE_INDEXES_SQL: &str = "SELECT t.name, i.name, i.origin, \
     (SELECT group_concat(c.name, ', ') FROM (SELECT name FROM pragma_index_info(i.name) ORDER BY seqno) AS c) \
     FROM sqlite_schema AS t, pragma_index_list(t.name) AS i \
     WHERE t.type = 'table' AND i.\"unique\" = 1 AND i.origin <> 'pk' ORDER BY 1, 2";

impl RawDatabase {
    /// Opens a file that has our tables.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(Self(super::connect(path, false)?))
    }

    /// The constraints there are: a CHECK as `table.name`, and what is unique as `table(columns)`.
    pub fn constraints(&self) -> Result<Vec<String>, StoreError> {
        let mut found: Vec<String> = self.unique_constraints()?.into_iter().map(|unique| unique.label).collect();
        let mut tables =
            self.0.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql IS NOT NULL")?;
        let tables = tables.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
        for table in tables {
            let (table, sql) = table?;
            let names = sql.split(CONSTRAINT_KEYWORD).skip(1).filter_map(|rest| rest.split_whitespace().next());
            found.extend(names.map(|name| format!("{table}.{name}")));
        }
        found.sort_unstable();
        Ok(found)
    }

    /// Takes a constraint away, and nothing else.
    pub fn drop_constraint(&self, constraint: &str) -> Result<(), StoreError> {
        if let Some((table, name)) = constraint.split_once('.') {
            return self.rebuild(table, |sql| without_check(sql, name));
        }
        let unknown = || StoreError::Corrupt(format!("no constraint {constraint}"));
        let unique =
            self.unique_constraints()?.into_iter().find(|unique| unique.label == constraint).ok_or_else(unknown)?;
        if unique.is_index {
            return Ok(self.0.execute_batch(&format!("DROP INDEX {}", unique.name))?);
        }
        self.rebuild(&unique.table, |sql| Some(sql.replacen(" UNIQUE", "", 1)))
    }

    /// Writes past everything but the constraints.
    pub fn execute(&self, text: &str) -> Result<(), StoreError> {
        Ok(self.0.execute_batch(text)?)
    }

    fn unique_constraints(&self) -> Result<Vec<UniqueConstraint>, StoreError> {
        let mut statement = self.0.prepare(UNIQUE_INDEXES_SQL)?;
        let found = statement.query_map([], |row| {
            let (table, columns): (String, String) = (row.get(0)?, row.get(3)?);
            let called = format!("{table}({columns})");
            Ok(UniqueConstraint { label: called, table, name: row.get(1)?, is_index: row.get::<_, String>(2)? == "c" })
        })?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// Makes a table anew by other words, with the rows and the indexes that it has.
    fn rebuild(&self, table: &str, changed: impl Fn(&str) -> Option<String>) -> Result<(), StoreError> {
        let words = format!("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = '{table}'");
        let old: String = self.0.query_row(&words, [], |row| row.get(0))?;
        let new = changed(&old).filter(|new| *new != old);
        let new = new.ok_or_else(|| StoreError::Corrupt(format!("nothing can be taken from {table}")))?;
        let indexes =
            format!("SELECT sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = '{table}' AND sql NOT NULL");
        let mut statement = self.0.prepare(&indexes)?;
        let indexes: Vec<String> = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
        let made = format!("{new}; INSERT INTO {table} SELECT * FROM old; DROP TABLE old; {}", indexes.join("; "));
        Ok(self.0.execute_batch(&format!("BEGIN; ALTER TABLE {table} RENAME TO old; {made}; COMMIT"))?)
    }
}

/// Something that no two rows have.
struct UniqueConstraint {
    label: String,
    table: String,
    name: String,
    /// Whether it was made by itself, not with the table.
    is_index: bool,
}

/// The words of a table in which one CHECK lets everything pass.
fn without_check(sql: &str, name: &str) -> Option<String> {
    let start = sql.find(&format!("{CONSTRAINT_KEYWORD}{name} CHECK ("))?;
    let opens = start + sql[start..].find('(')?;
    let mut depth = 0;
    let closes = sql[opens..].find(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0
    })?;
    Some(format!("{}(1){}", &sql[..opens], &sql[opens + closes + 1..]))
}
