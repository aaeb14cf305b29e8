//! The connections of those who read.

use std::time::Duration;

use kassa_domain::audit::{EventRecount, Findings};
use kassa_domain::event::EventId;
use kassa_domain::{ReadSet, View};
use parking_lot::Mutex;
use tokio::sync::Semaphore;

use super::connection::{BEGIN_SNAPSHOT, ConnectTarget, Connection, ConnectionRole, QueryResult};
use super::errors::TransactionFailure;
use super::params::PostgresRowReader;
use super::snapshot;
use crate::aggregates::recount_queries;
use crate::error::StoreError;
use crate::lists::Statement;

/// Connections that read.
const READERS: usize = 8;
/// How long a reader waits for its turn.
const PERMIT_WAIT_MAX: Duration = Duration::from_secs(5);

/// What is read.
pub(super) trait ReadOperation: Sync {
    type Output: Send;

    fn run_on(
        &self,
        connection: &mut Connection,
    ) -> impl Future<Output = Result<Self::Output, TransactionFailure>> + Send;
}

/// Rows by selector.
impl ReadOperation for &ReadSet {
    type Output = View;

    async fn run_on(&self, connection: &mut Connection) -> Result<View, TransactionFailure> {
        snapshot::load_snapshot(connection, self).await
    }
}

/// Lists.
impl ReadOperation for &[Statement] {
    type Output = Vec<QueryResult>;

    async fn run_on(&self, connection: &mut Connection) -> Result<Vec<QueryResult>, TransactionFailure> {
        Ok(connection.run_unprepared(self).await?)
    }
}

/// An event, counted again.
pub(super) struct EventRecountRead(pub(super) EventId);

impl ReadOperation for EventRecountRead {
    type Output = Findings;

    async fn run_on(&self, connection: &mut Connection) -> Result<Findings, TransactionFailure> {
        // An event may have very many tickets.
        connection.execute(&format!("{BEGIN_SNAPSHOT}; SET LOCAL statement_timeout = 0")).await?;
        let mut recount = EventRecount::default();
        for query in recount_queries(self.0) {
            connection
                .for_each_row(&query.statement, |row| query.add_row(&mut PostgresRowReader::new(row), &mut recount))
                .await?;
        }
        connection.execute("COMMIT").await?;
        Ok(recount.finish())
    }
}

pub(super) struct Pool {
    target: ConnectTarget,
    idle: Mutex<Vec<Connection>>,
    permits: Semaphore,
}

impl Pool {
    pub(super) fn new(target: ConnectTarget) -> Self {
        Self { target, idle: Mutex::default(), permits: Semaphore::new(READERS) }
    }

    pub(super) fn target(&self) -> &ConnectTarget {
        &self.target
    }

    /// Reads on an idle connection. One that turns out to be lost is replaced, once: a read has no effect.
    pub(super) async fn read<W: ReadOperation>(&self, work: W) -> Result<W::Output, StoreError> {
        let turn = tokio::time::timeout(PERMIT_WAIT_MAX, self.permits.acquire()).await;
        let busy = || StoreError::Busy("all connections to it are in use".to_owned());
        let _permit = turn.map_err(|_| busy())?.map_err(|_| busy())?;
        let mut was_idle = true;
        loop {
            let idle = if was_idle { self.take_idle() } else { None };
            was_idle = idle.is_some();
            let mut connection = match idle {
                Some(connection) => connection,
                None => Connection::open(&self.target, ConnectionRole::Reader).await?,
            };
            match work.run_on(&mut connection).await {
                Err(TransactionFailure::Retryable(_) | TransactionFailure::ConnectionLost(_)) if was_idle => {
                    // Those that were idle beside it lead to the same server, and each may take its time to fail.
                    self.idle.lock().clear();
                    was_idle = false;
                }
                // A connection that has failed may be in the middle of something: it is not used again.
                Err(trouble) => return Err(trouble.into()),
                Ok(result) => {
                    self.release(connection);
                    return Ok(result);
                }
            }
        }
    }

    /// An idle connection or a new one, for the time before anybody reads.
    pub(super) async fn acquire(&self) -> Result<Connection, StoreError> {
        match self.take_idle() {
            Some(connection) => Ok(connection),
            None => Connection::open(&self.target, ConnectionRole::Reader).await,
        }
    }

    /// Keeps a connection that is in the middle of nothing.
    pub(super) fn release(&self, connection: Connection) {
        self.idle.lock().push(connection);
    }

    fn take_idle(&self) -> Option<Connection> {
        let mut idle = self.idle.lock();
        idle.retain(|connection| !connection.is_closed());
        idle.pop()
    }
}
