//! Applies the steps of the schema, while others work with the database, and while others would apply them.
//!
//! A step is claimed by its row, which names the session that works on it: a name that no other session has.
//! The claim holds as long as the database has a session of this name, and nobody has to guess by a clock when
//! it is over: the database ends the session of a node that has died, also in the middle of a statement, and
//! that of one that is stopped, so that it does nothing late. Whoever finds a claim without its session takes
//! it over, and runs the step from its beginning: its statements may run again.

use std::hash::{BuildHasher as _, RandomState};
use std::time::Duration;

use super::connection::{ConnectTarget, Connection, ConnectionRole, MIGRATOR_LOCK_TIMEOUT_MS};
use super::params::Param;
use super::schema::{inspect, missing_row_error, pending_migrations};
use super::script;
use crate::error::StoreError;
use crate::schema_migrations::SchemaMigration;

/// How long to wait before a claim is looked at again, or a table that others use.
const POLL_INTERVAL: Duration = Duration::from_millis(200);
/// Times that a statement is tried again that had to give way: each holds others up for no longer than a second.
const LOCK_RETRIES_MAX: u32 = 300;
/// The same for one that found made what it was to make, by another at the same time.
const CONFLICT_RETRIES_MAX: u32 = 5;

/// Where the steps are noted. Older programs made it with numbers only, of steps that were done.
const MIGRATIONS_TABLE: [&str; 2] = [
    "CREATE TABLE IF NOT EXISTS kassa_migrations (number BIGINT PRIMARY KEY)",
    "ALTER TABLE kassa_migrations ADD COLUMN IF NOT EXISTS state TEXT NOT NULL DEFAULT 'done' \
        CHECK (state IN ('claimed', 'done')), ADD COLUMN IF NOT EXISTS worker TEXT, \
        ADD COLUMN IF NOT EXISTS claimed_at TIMESTAMPTZ, ADD COLUMN IF NOT EXISTS done_at TIMESTAMPTZ, \
        ADD COLUMN IF NOT EXISTS oldest_program BIGINT",
];

/// Gives a row where the step is ours now. Sessions are looked at when the row is locked, and not before. From now on,
/// programs that are too old for the step are refused.
const CLAIM: &str = "INSERT INTO kassa_migrations AS m (number, state, worker, claimed_at, oldest_program) \
    VALUES ($1, 'claimed', $2, clock_timestamp(), $3) ON CONFLICT (number) DO UPDATE \
    SET worker = excluded.worker, claimed_at = excluded.claimed_at, oldest_program = excluded.oldest_program \
    WHERE m.state = 'claimed' AND NOT EXISTS \
    (SELECT 1 FROM pg_catalog.pg_stat_activity AS a WHERE a.application_name = m.worker) \
    RETURNING number";

const DONE: &str = "UPDATE kassa_migrations SET state = 'done', done_at = clock_timestamp() \
    WHERE number = $1 AND worker = $2 AND state = 'claimed' RETURNING number";

/// Gives a claim back.
const RELEASE: &str = "DELETE FROM kassa_migrations WHERE number = $1 AND worker = $2 AND state = 'claimed'";

/// How many numbers of lanes are leased. At first, numbers were not.
const LEASED_NUMBERS: &str = "SELECT count(*) FROM nodes AS n \
    WHERE (to_jsonb(n) ->> 'lease_till')::bigint > extract(epoch FROM clock_timestamp()) * 1000";

/// Whose claim a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MigrationClaim {
    Acquired,
    HeldByOther,
    Done,
}

/// A session that may claim steps.
pub(super) struct MigrationWorker {
    connection: Connection,
    name: String,
}

/// Brings the schema up to date, and returns the steps that were applied here.
pub(super) async fn migrate(
    target: &ConnectTarget,
    steps: &[SchemaMigration],
) -> Result<Vec<SchemaMigration>, StoreError> {
    let mut worker = MigrationWorker::start(target).await?;
    let mut applied = Vec::new();
    for step in pending_migrations(&worker.connection, steps).await?.unwrap_or_default() {
        let failed = |error| StoreError::Migration { number: step.number, reason: Box::new(error) };
        if worker.apply(&step).await.map_err(failed)? {
            applied.push(step);
        }
    }
    Ok(applied)
}

impl MigrationWorker {
    pub(super) async fn start(target: &ConnectTarget) -> Result<Self, StoreError> {
        let connection = Connection::open(target, ConnectionRole::Migrator).await?;
        let name = format!("kassa step {:016x}", RandomState::new().hash_one(std::process::id()));
        connection.execute(&format!("SET application_name = '{name}'")).await?;
        // Refuses a database of another program before anything is made.
        inspect(&connection).await?;
        let worker = Self { connection, name };
        for statement in MIGRATIONS_TABLE {
            worker.execute(statement).await?;
        }
        Ok(worker)
    }

    /// Sees that a step is done, by this worker or by another; returns whether it was this one.
    async fn apply(&mut self, step: &SchemaMigration) -> Result<bool, StoreError> {
        let mut waits = false;
        loop {
            match self.claim(step).await? {
                MigrationClaim::Done => return Ok(false),
                MigrationClaim::Acquired => break,
                MigrationClaim::HeldByOther if waits => {}
                MigrationClaim::HeldByOther => {
                    tracing::info!(%step, "another program is at a step of the schema: waiting for it");
                    waits = true;
                }
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
        if step.wants_no_other() {
            self.require_no_servers(step).await?;
        }
        // Only the last commit is waited for: it brings those before it to the disk. A step whose end is lost is
        // not noted, and begins again. What the session had may be more than `on`: an operator's choice.
        let had = self.connection.query_row("SELECT current_setting('synchronous_commit')", &[]).await?;
        let had: String = had.ok_or_else(missing_row_error)?.try_get(0)?;
        self.connection.execute("SET synchronous_commit = off").await?;
        for statement in script::split_statements(step.sql) {
            self.execute(&statement).await?;
        }
        let set_back = "SELECT set_config('synchronous_commit', $1, false)";
        self.connection.query_row(set_back, &[Param::one(had.as_str())]).await?;
        self.finish(step).await?;
        Ok(true)
    }

    pub(super) async fn claim(&self, step: &SchemaMigration) -> Result<MigrationClaim, StoreError> {
        let params = [Param::one(step.number), Param::one(self.name.as_str()), Param::one(step.oldest_program)];
        if self.connection.query_row(CLAIM, &params).await?.is_some() {
            return Ok(MigrationClaim::Acquired);
        }
        let state = "SELECT state FROM kassa_migrations WHERE number = $1";
        let row = self.connection.query_row(state, &[Param::one(step.number)]).await?;
        let is_done = row.map(|row| row.try_get::<_, &str>(0).map(|state| state == "done")).transpose()?;
        Ok(if is_done == Some(true) { MigrationClaim::Done } else { MigrationClaim::HeldByOther })
    }

    /// Sees that no server is at work, all of which are older than a step that nobody has applied yet. None can start
    /// meanwhile: the step is claimed.
    async fn require_no_servers(&self, step: &SchemaMigration) -> Result<(), StoreError> {
        let row = self.connection.query_row(LEASED_NUMBERS, &[]).await?.ok_or_else(missing_row_error)?;
        if row.try_get::<_, i64>(0)? == 0 {
            return Ok(());
        }
        let params = [Param::one(step.number), Param::one(self.name.as_str())];
        self.connection.query_row(RELEASE, &params).await?;
        let text = "servers of an older release are at work, or were seconds ago: stop all of them, and try again";
        Err(StoreError::Busy(text.to_owned()))
    }

    async fn finish(&self, step: &SchemaMigration) -> Result<(), StoreError> {
        let params = [Param::one(step.number), Param::one(self.name.as_str())];
        let row = self.connection.query_row(DONE, &params).await?;
        row.map(drop).ok_or_else(|| StoreError::Conflict("another program has claimed it".to_owned()))
    }

    /// A statement that may run again, and takes as long as it takes. One that wants a table that others use
    /// gives way to them soon, since all who come after it wait behind it, and tries again.
    pub(super) async fn execute(&self, text: &str) -> Result<(), StoreError> {
        let waits = text.contains(" CONCURRENTLY ");
        if waits {
            // It holds nobody up while it waits, and what it has done would be lost.
            self.connection.execute("SET lock_timeout = 0").await?;
        }
        let mut tries = 0;
        while let Err(fault) = self.connection.execute_without_timeout(text).await {
            let tries_max = match (fault.is_retryable(), fault.is_duplicate()) {
                (true, _) => LOCK_RETRIES_MAX,
                (false, true) => CONFLICT_RETRIES_MAX,
                (false, false) => 0,
            };
            if tries >= tries_max {
                return Err(fault.into());
            }
            tries += 1;
            tokio::time::sleep(POLL_INTERVAL).await;
        }
        if waits {
            self.connection.execute(&format!("SET lock_timeout = {MIGRATOR_LOCK_TIMEOUT_MS}")).await?;
        }
        Ok(())
    }
}
