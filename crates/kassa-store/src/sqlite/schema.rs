//! The tables, and how they came to be: numbered steps, each applied once.

use std::path::Path;

use rusqlite::{Connection, OpenFlags, OptionalExtension};

use super::run;
use crate::error::StoreError;
use crate::steps::{Step, refuse_newer};

/// Marks the file as ours: "Kass" in its header.
const APPLICATION_ID: i64 = 0x4b61_7373;

/// Every step, in order. A step that was released is never changed.
pub(crate) const STEPS: &[Step] = &[
    Step { number: 1, about: "the tables", text: include_str!("schema/1.sql") },
    Step { number: 2, about: "leases of the numbers of writers", text: include_str!("schema/2.sql") },
    Step { number: 3, about: "answers kept under idempotency keys", text: include_str!("schema/3.sql") },
];

/// Looks whether there is a database at `path`, without changing anything: one of another program
/// is an error.
pub(super) fn inspect(path: &Path) -> Result<bool, StoreError> {
    Ok(look(path)?.is_some())
}

/// The steps that are not done yet; `None` where there is nothing of ours. Changes nothing.
pub(super) fn missing(path: &Path, steps: &[Step]) -> Result<Option<Vec<Step>>, StoreError> {
    look(path)?.map(|connection| behind(&connection, steps)).transpose()
}

/// A connection that reads a database of ours.
fn look(path: &Path) -> Result<Option<Connection>, StoreError> {
    if !path.exists() {
        return Ok(None);
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    let is_ours = application_id(&connection)? == APPLICATION_ID;
    if !is_ours && table_count(&connection)? > 0 {
        return Err(foreign());
    }
    Ok(is_ours.then_some(connection))
}

/// Brings the schema up to date, and tells the steps that were applied, or says why not.
pub(super) fn migrate(connection: &Connection, steps: &[Step]) -> Result<Vec<Step>, StoreError> {
    if application_id(connection)? == APPLICATION_ID && behind(connection, steps)?.is_empty() {
        return Ok(Vec::new());
    }
    run(connection, "BEGIN IMMEDIATE")?;
    match apply(connection, steps) {
        Ok(applied) => {
            run(connection, "COMMIT")?;
            Ok(applied)
        }
        Err(error) => {
            run(connection, "ROLLBACK")?;
            Err(error)
        }
    }
}

fn apply(connection: &Connection, steps: &[Step]) -> Result<Vec<Step>, StoreError> {
    // Another program may have made the schema while this one waited for the lock.
    if application_id(connection)? != APPLICATION_ID && table_count(connection)? > 0 {
        return Err(foreign());
    }
    connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    connection.execute_batch("CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY) STRICT")?;
    let missing = behind(connection, steps)?;
    for step in &missing {
        let told = |error: StoreError| StoreError::Step { number: step.number, reason: Box::new(error) };
        connection.execute_batch(step.text).map_err(|error| told(error.into()))?;
        connection.execute("INSERT INTO migrations (number) VALUES (?1)", [step.number])?;
    }
    Ok(missing)
}

/// The steps after those that are noted.
fn behind(connection: &Connection, steps: &[Step]) -> Result<Vec<Step>, StoreError> {
    let found = version(connection)?;
    refuse_newer(steps, found)?;
    Ok(steps.iter().copied().filter(|step| step.number > found).collect())
}

fn application_id(connection: &Connection) -> Result<i64, StoreError> {
    Ok(connection.pragma_query_value(None, "application_id", |row| row.get(0))?)
}

fn table_count(connection: &Connection) -> Result<i64, StoreError> {
    Ok(connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?)
}

fn foreign() -> StoreError {
    StoreError::Foreign("kassa.db is a database of another program".to_owned())
}

fn version(connection: &Connection) -> Result<i64, StoreError> {
    let number: Option<Option<i64>> =
        connection.query_row("SELECT max(number) FROM migrations", [], |row| row.get(0)).optional()?;
    Ok(number.flatten().unwrap_or(0))
}
