//! The tables: which there are, and the steps by which they came to be.

use super::connection::Connection;
use crate::error::StoreError;
use crate::health::PostgresHealth;
use crate::schema_migrations::{NotedSchema, SchemaMigration};

/// The oldest server that will do, as it reports its version.
const MIN_SERVER_VERSION: i64 = 150_000;

/// The tables of the driver itself, which tell whose a database is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DriverTables {
    /// The record of the steps: the database is ours.
    pub(super) migrations: bool,
    /// The record of a copy into it.
    pub(super) copy_record: bool,
}

/// Sees that the server will do.
pub(super) async fn check_server(connection: &Connection) -> Result<(), StoreError> {
    let server_settings = "SELECT current_setting('server_version_num')::bigint, current_setting('server_version'), \
        current_setting('server_encoding')";
    let row = connection.query_row(server_settings, &[]).await?.ok_or_else(missing_row_error)?;
    let (number, version, encoding): (i64, &str, &str) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
    if number < MIN_SERVER_VERSION {
        return Err(StoreError::Foreign(format!("the server is PostgreSQL {version}: 15 or newer is needed")));
    }
    if encoding != "UTF8" {
        return Err(StoreError::Foreign(format!("the database is encoded in {encoding}: UTF8 is needed")));
    }
    Ok(())
}

/// How the server is set up. Of `synchronous_commit` what sessions have that do not set it, as ours do.
pub(super) async fn health(connection: &Connection) -> Result<PostgresHealth, StoreError> {
    let settings = "SELECT current_setting('server_version'), current_setting('fsync') = 'on', \
        current_setting('full_page_writes') = 'on', \
        (SELECT reset_val FROM pg_catalog.pg_settings WHERE name = 'synchronous_commit'), \
        current_setting('max_connections')::bigint, \
        (SELECT count(*) FROM pg_catalog.pg_stat_activity WHERE backend_type = 'client backend'), \
        (extract(epoch FROM clock_timestamp()) * 1000)::bigint";
    let row = connection.query_row(settings, &[]).await?.ok_or_else(missing_row_error)?;
    Ok(PostgresHealth {
        version: row.try_get(0)?,
        fsync: row.try_get(1)?,
        full_page_writes: row.try_get(2)?,
        synchronous_commit: row.try_get(3)?,
        connections_max: row.try_get::<_, i64>(4)?.unsigned_abs(),
        connections: row.try_get::<_, i64>(5)?.unsigned_abs(),
        now_ms: row.try_get(6)?,
    })
}

/// The schema that its tables are in.
pub(super) async fn schema_name(connection: &Connection) -> Result<String, StoreError> {
    let row = connection.query_row("SELECT current_schema()::text", &[]).await?.ok_or_else(missing_row_error)?;
    Ok(row.try_get::<_, Option<String>>(0)?.unwrap_or_default())
}

/// Looks which tables the database has, without changing anything: one of another program is an error.
pub(super) async fn inspect(connection: &Connection) -> Result<DriverTables, StoreError> {
    let tables = "SELECT current_schema()::text, count(*) FILTER (WHERE c.relname = 'kassa_migrations'), \
        count(*) FILTER (WHERE c.relname = 'kassa_copy'), count(c.oid) \
        FROM (VALUES (1)) AS one(one) LEFT JOIN pg_catalog.pg_class AS c \
        ON c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::regnamespace";
    let row = connection.query_row(tables, &[]).await?.ok_or_else(missing_row_error)?;
    let (schema, record, copy): (Option<&str>, i64, i64) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
    match (schema, row.try_get::<_, i64>(3)?) {
        (None, _) => Err(StoreError::Foreign("the database has no schema to work in: see its search_path".to_owned())),
        (Some(schema), 1..) if record == 0 => Err(StoreError::Foreign(format!(
            "its schema {schema} holds tables of another program: choose an empty database"
        ))),
        (Some(_), _) => Ok(DriverTables { migrations: record > 0, copy_record: copy > 0 }),
    }
}

/// The steps that are not done yet; `None` where there is nothing of ours. Changes nothing.
pub(super) async fn pending_migrations(
    connection: &Connection,
    steps: &[SchemaMigration],
) -> Result<Option<Vec<SchemaMigration>>, StoreError> {
    if !inspect(connection).await?.migrations {
        return Ok(None);
    }
    // The first programs wrote a number only, and in the transaction of the step.
    let done = "SELECT coalesce(max(number), 0), \
        coalesce(max(coalesce((to_jsonb(m) ->> 'oldest_program')::bigint, number)), 0), \
        coalesce(array_agg(number) FILTER (WHERE coalesce(to_jsonb(m) ->> 'state', 'done') = 'done'), '{}') \
        FROM kassa_migrations AS m";
    let row = connection.query_row(done, &[]).await?.ok_or_else(missing_row_error)?;
    NotedSchema { number: row.try_get(0)?, oldest_program: row.try_get(1)? }.require_usable(steps)?;
    let done: Vec<i64> = row.try_get(2)?;
    Ok(Some(steps.iter().copied().filter(|step| !done.contains(&step.number)).collect()))
}

/// Whether a copy into the database was begun and is not finished. Wants the record of it.
pub(super) async fn is_unfinished_copy(connection: &Connection) -> Result<bool, StoreError> {
    let state = "SELECT 1::bigint FROM kassa_copy WHERE name = 'state' AND value <> 'complete'";
    Ok(connection.query_row(state, &[]).await?.is_some())
}

/// Whether anything is noted of the installation, as the fingerprint of its secret. Wants the first step.
pub(super) async fn has_installation_settings(connection: &Connection) -> Result<bool, StoreError> {
    Ok(connection.query_row("SELECT 1::bigint FROM installation_settings LIMIT 1", &[]).await?.is_some())
}

pub(super) fn missing_row_error() -> StoreError {
    StoreError::Corrupt("a statement that always gives a row gave none".to_owned())
}
