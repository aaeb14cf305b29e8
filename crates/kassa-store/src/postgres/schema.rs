//! The tables, and how they came to be: the same numbered steps as those of SQLite, each applied once.

use super::cells::Param;
use super::connection::Connection;
use super::errors::Trouble;
use crate::error::StoreError;

/// Every step, in order. A step that was released is never changed.
pub(super) const STEPS: &[&str] = &[include_str!("schema/1.sql"), include_str!("schema/2.sql")];

/// Times that the steps are tried: another node may be at them.
const TRIES_MAX: u32 = 5;

/// The oldest server that will do, as it tells its version.
const SERVER_MIN: i64 = 150_000;

/// Sees that the server will do.
pub(super) async fn check_server(connection: &Connection) -> Result<(), StoreError> {
    let facts = "SELECT current_setting('server_version_num')::bigint, current_setting('server_version'), \
        current_setting('server_encoding')";
    let row = connection.row(facts, &[]).await?.ok_or_else(nothing)?;
    let (number, version, encoding): (i64, &str, &str) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
    if number < SERVER_MIN {
        return Err(StoreError::Foreign(format!("the server is PostgreSQL {version}: 15 or newer is needed")));
    }
    if encoding != "UTF8" {
        return Err(StoreError::Foreign(format!("the database is encoded in {encoding}: UTF8 is needed")));
    }
    Ok(())
}

/// Looks whether the database has our tables, without changing anything: one of another program is an error.
pub(super) async fn inspect(connection: &Connection) -> Result<bool, StoreError> {
    let tables = "SELECT current_schema()::text, count(*) FILTER (WHERE c.relname = 'kassa_migrations'), count(c.oid) \
        FROM (VALUES (1)) AS one(one) LEFT JOIN pg_catalog.pg_class AS c \
        ON c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::regnamespace";
    let row = connection.row(tables, &[]).await?.ok_or_else(nothing)?;
    let (schema, ours, all): (Option<&str>, i64, i64) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
    match schema {
        None => Err(StoreError::Foreign("the database has no schema to work in: see its search_path".to_owned())),
        Some(schema) if ours == 0 && all > 0 => Err(StoreError::Foreign(format!(
            "its schema {schema} holds tables of another program: choose an empty database"
        ))),
        Some(_) => Ok(ours > 0),
    }
}

/// Brings the schema up to date, or says why not.
pub(super) async fn migrate(connection: &Connection) -> Result<(), StoreError> {
    let known = i64::try_from(STEPS.len()).unwrap_or(i64::MAX);
    let mut tries = 0;
    loop {
        let found = if inspect(connection).await? { version(connection).await? } else { 0 };
        if found > known {
            return Err(StoreError::NewerSchema { found, known });
        }
        if found == known {
            return Ok(());
        }
        tries += 1;
        match steps(connection).await {
            Ok(()) => {}
            // Another node was at the same step: it is done now, or it is our turn.
            Err(Trouble::Again(_) | Trouble::Final(StoreError::Constraint(_))) if tries < TRIES_MAX => {
                connection.execute("ROLLBACK").await?;
            }
            Err(trouble) => return Err(trouble.into()),
        }
    }
}

/// All steps that nobody has claimed, in one transaction.
async fn steps(connection: &Connection) -> Result<(), Trouble> {
    connection.execute("BEGIN; SET LOCAL statement_timeout = 0").await?;
    connection.execute("CREATE TABLE IF NOT EXISTS kassa_migrations (number BIGINT PRIMARY KEY)").await?;
    for (number, step) in (1_i64..).zip(STEPS) {
        let claim = "INSERT INTO kassa_migrations (number) VALUES ($1) ON CONFLICT DO NOTHING RETURNING number";
        if connection.row(claim, &[Param::one(number)]).await?.is_some() {
            connection.execute(step).await?;
        }
    }
    Ok(connection.execute("COMMIT").await?)
}

async fn version(connection: &Connection) -> Result<i64, StoreError> {
    let row = connection.row("SELECT coalesce(max(number), 0) FROM kassa_migrations", &[]).await?;
    Ok(row.ok_or_else(nothing)?.try_get(0)?)
}

fn nothing() -> StoreError {
    StoreError::Corrupt("a statement that always gives a row gave none".to_owned())
}
