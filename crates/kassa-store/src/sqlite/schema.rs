//! The tables, and how they came to be: numbered steps, each applied once.

use rusqlite::{Connection, OptionalExtension};

use super::run;
use crate::error::StoreError;

/// Marks the file as ours: "Kass" in its header.
const APPLICATION_ID: i64 = 0x4b61_7373;

/// Every step, in order. A step that was released is never changed.
const STEPS: &[&str] = &[include_str!("schema/1.sql")];

/// Brings the schema up to date, or says why not.
pub(super) fn migrate(connection: &Connection) -> Result<(), StoreError> {
    let application: i64 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let known = i64::try_from(STEPS.len()).unwrap_or(i64::MAX);
    if application == APPLICATION_ID && version(connection)? == known {
        return Ok(());
    }
    run(connection, "BEGIN IMMEDIATE")?;
    let result = steps(connection, application, known);
    match result {
        Ok(()) => run(connection, "COMMIT"),
        Err(error) => {
            run(connection, "ROLLBACK")?;
            Err(error)
        }
    }
}

fn steps(connection: &Connection, application: i64, known: i64) -> Result<(), StoreError> {
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if application != APPLICATION_ID && tables > 0 && application_now(connection)? != APPLICATION_ID {
        return Err(StoreError::Foreign("kassa.db is a database of another program".to_owned()));
    }
    connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    connection
        .execute_batch("CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY) STRICT")
        ?;
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

/// Another program may have made the schema while this one waited for the lock.
fn application_now(connection: &Connection) -> Result<i64, StoreError> {
    Ok(connection.pragma_query_value(None, "application_id", |row| row.get(0))?)
}

fn version(connection: &Connection) -> Result<i64, StoreError> {
    let number: Option<Option<i64>> =
        connection.query_row("SELECT max(number) FROM migrations", [], |row| row.get(0)).optional()?;
    Ok(number.flatten().unwrap_or(0))
}
