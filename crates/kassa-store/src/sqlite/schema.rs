//! The tables, and how they came to be: numbered steps, each applied once.

use std::path::Path;

use rusqlite::{Connection, OpenFlags, Row};

use super::execute;
use crate::error::StoreError;
use crate::schema_migrations::{NotedSchema, SchemaMigration};

/// Marks the file as ours: "Kass" in its header.
const APPLICATION_ID: i64 = 0x4b61_7373;

/// Looks whether there is a database at `path`, without changing anything: one of another program
/// is an error.
pub(super) fn inspect(path: &Path) -> Result<bool, StoreError> {
    Ok(open_existing(path)?.is_some())
}

/// The steps that are not done yet; `None` where there is nothing of ours. Changes nothing.
pub(super) fn pending_migrations(
    path: &Path,
    steps: &[SchemaMigration],
) -> Result<Option<Vec<SchemaMigration>>, StoreError> {
    open_existing(path)?.map(|connection| pending(&connection, steps)).transpose()
}

/// A connection that reads a database of ours.
fn open_existing(path: &Path) -> Result<Option<Connection>, StoreError> {
    if !path.exists() {
        return Ok(None);
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    let is_ours = application_id(&connection)? == APPLICATION_ID;
    if !is_ours && table_count(&connection)? > 0 {
        return Err(foreign_database_error());
    }
    Ok(is_ours.then_some(connection))
}

/// Brings the schema up to date, and returns the steps that were applied.
pub(super) fn migrate(connection: &Connection, steps: &[SchemaMigration]) -> Result<Vec<SchemaMigration>, StoreError> {
    if application_id(connection)? == APPLICATION_ID && pending(connection, steps)?.is_empty() {
        return Ok(Vec::new());
    }
    execute(connection, "BEGIN IMMEDIATE")?;
    match apply_pending(connection, steps) {
        Ok(applied) => {
            execute(connection, "COMMIT")?;
            Ok(applied)
        }
        Err(error) => {
            execute(connection, "ROLLBACK")?;
            Err(error)
        }
    }
}

fn apply_pending(connection: &Connection, steps: &[SchemaMigration]) -> Result<Vec<SchemaMigration>, StoreError> {
    // Another program may have made the schema while this one waited for the lock.
    if application_id(connection)? != APPLICATION_ID && table_count(connection)? > 0 {
        return Err(foreign_database_error());
    }
    connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    connection.execute_batch(
        "CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, oldest_program INTEGER) STRICT",
    )?;
    if !notes_oldest_program(connection)? {
        connection.execute_batch("ALTER TABLE migrations ADD COLUMN oldest_program INTEGER")?;
    }
    let missing = pending(connection, steps)?;
    for step in &missing {
        let failed = |error: StoreError| StoreError::Migration { number: step.number, reason: Box::new(error) };
        connection.execute_batch(step.sql).map_err(|error| failed(error.into()))?;
        let note = "INSERT INTO migrations (number, oldest_program) VALUES (?1, ?2)";
        connection.execute(note, [step.number, step.oldest_program])?;
    }
    Ok(missing)
}

/// The steps after those that are noted.
fn pending(connection: &Connection, steps: &[SchemaMigration]) -> Result<Vec<SchemaMigration>, StoreError> {
    let noted = noted_schema(connection)?;
    noted.require_usable(steps)?;
    Ok(steps.iter().copied().filter(|step| step.number > noted.number).collect())
}

fn application_id(connection: &Connection) -> Result<i64, StoreError> {
    Ok(connection.pragma_query_value(None, "application_id", |row| row.get(0))?)
}

fn table_count(connection: &Connection) -> Result<i64, StoreError> {
    Ok(connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?)
}

fn foreign_database_error() -> StoreError {
    StoreError::Foreign("kassa.db is a database of another program".to_owned())
}

/// Which steps the database has.
pub(super) fn noted_schema(connection: &Connection) -> Result<NotedSchema, StoreError> {
    let oldest = if notes_oldest_program(connection)? { "coalesce(oldest_program, number)" } else { "number" };
    let noted = format!("SELECT coalesce(max(number), 0), coalesce(max({oldest}), 0) FROM migrations");
    let read = |row: &Row<'_>| Ok(NotedSchema { number: row.get(0)?, oldest_program: row.get(1)? });
    Ok(connection.query_row(&noted, [], read)?)
}

/// Whether each step is noted with the oldest program that may work with it: the first programs did not do that.
fn notes_oldest_program(connection: &Connection) -> Result<bool, StoreError> {
    let columns = "SELECT count(*) FROM pragma_table_info('migrations') WHERE name = 'oldest_program'";
    Ok(connection.query_row(columns, [], |row| row.get::<_, i64>(0))? > 0)
}
