//! The tables, and how they came to be: numbered steps, each applied once.

use std::path::Path;

use rusqlite::{Connection, OpenFlags, OptionalExtension};

use super::run;
use crate::error::StoreError;

/// Marks the file as ours: "Kass" in its header.
const APPLICATION_ID: i64 = 0x4b61_7373;

/// Every step, in order. A step that was released is never changed.
const STEPS: &[&str] = &[include_str!("schema/1.sql"), include_str!("schema/2.sql")];

/// Looks whether there is a database at `path`, without changing anything: one of another program
/// is an error.
pub(super) fn inspect(path: &Path) -> Result<bool, StoreError> {
    if !path.exists() {
        return Ok(false);
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    let application = application_id(&connection)?;
    if application != APPLICATION_ID && table_count(&connection)? > 0 {
        return Err(foreign());
    }
    Ok(application == APPLICATION_ID)
}

/// Brings the schema up to date, or says why not.
pub(super) fn migrate(connection: &Connection) -> Result<(), StoreError> {
    let application = application_id(connection)?;
    let known = i64::try_from(STEPS.len()).unwrap_or(i64::MAX);
    if application == APPLICATION_ID && version(connection)? == known {
        return Ok(());
    }
    run(connection, "BEGIN IMMEDIATE")?;
    match steps(connection, known) {
        Ok(()) => run(connection, "COMMIT"),
        Err(error) => {
            run(connection, "ROLLBACK")?;
            Err(error)
        }
    }
}

fn steps(connection: &Connection, known: i64) -> Result<(), StoreError> {
    // Another program may have made the schema while this one waited for the lock.
    if application_id(connection)? != APPLICATION_ID && table_count(connection)? > 0 {
        return Err(foreign());
    }
    connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    connection.execute_batch("CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY) STRICT")?;
    let found = version(connection)?;
    if found > known {
        return Err(StoreError::NewerSchema { found, known });
    }
    for (number, step) in (1_i64..).zip(STEPS).skip_while(|(number, _)| *number <= found) {
        connection.execute_batch(step)?;
        connection.execute("INSERT INTO migrations (number) VALUES (?1)", [number])?;
    }
    Ok(())
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
