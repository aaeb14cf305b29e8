//! The connections of those who read. Look-ups by key have their own: no list, whoever asks for it, holds one up.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use kassa_domain::audit::{EventRecount, Findings};
use kassa_domain::event::EventId;
use kassa_domain::{ReadSet, View};
use parking_lot::Mutex;
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use super::connection::{BEGIN_LIST, ConnectTarget, Connection, ConnectionRole, ListTrip, TransactionFrame};
use super::errors::TransactionFailure;
use super::params::PostgresRowReader;
use super::pipeline::{Query, QueryResult};
use super::snapshot;
use crate::READ_TIME_LIMIT;
use crate::aggregates::recount_queries;
use crate::cell::RowReader;
use crate::error::StoreError;
use crate::lists::Statement;

/// Connections for look-ups by key, and those for lists, scans, sums and recounts.
const LOOKUP_CONNECTIONS: usize = 8;
pub(super) const LIST_CONNECTIONS: usize = 4;
/// How long a reader waits for its turn.
const PERMIT_WAIT_MAX: Duration = Duration::from_secs(5);

/// What is read.
pub(super) trait ReadOperation: Sync {
    type Output: Send;

    /// Whether it is a handful of rows by key.
    fn is_lookup(&self) -> bool {
        false
    }

    fn run_on(
        &self,
        connection: &mut Connection,
    ) -> impl Future<Output = Result<Self::Output, TransactionFailure>> + Send;
}

/// Rows by selector.
pub(super) struct RowsRead<'a> {
    pub(super) read_set: &'a ReadSet,
    pub(super) is_lookup: bool,
}

impl ReadOperation for RowsRead<'_> {
    type Output = View;

    fn is_lookup(&self) -> bool {
        self.is_lookup
    }

    async fn run_on(&self, connection: &mut Connection) -> Result<View, TransactionFailure> {
        snapshot::load_snapshot(connection, self.read_set).await
    }
}

/// Lists.
pub(super) struct ListRead<'a> {
    pub(super) statements: &'a [Statement],
    /// As [`Filter::walks_index`](crate::lists::Filter::walks_index).
    pub(super) walks_index: bool,
}

impl ReadOperation for ListRead<'_> {
    type Output = Vec<QueryResult>;

    async fn run_on(&self, connection: &mut Connection) -> Result<Vec<QueryResult>, TransactionFailure> {
        let trip = ListTrip::Whole { walks_index: self.walks_index };
        Ok(connection.run_unprepared(trip, self.statements).await?)
    }
}

/// A statement that gives a few short rows by an index.
pub(super) struct StatementLookUp(pub(super) Statement);

impl ReadOperation for StatementLookUp {
    type Output = Vec<QueryResult>;

    fn is_lookup(&self) -> bool {
        true
    }

    async fn run_on(&self, connection: &mut Connection) -> Result<Vec<QueryResult>, TransactionFailure> {
        let trip = ListTrip::Whole { walks_index: false };
        Ok(connection.run_unprepared(trip, std::slice::from_ref(&self.0)).await?)
    }
}

/// The numbers of all writers, with the versions of their rows.
pub(super) struct WriterVersionsRead;

impl ReadOperation for WriterVersionsRead {
    type Output = Vec<(u16, i64)>;

    fn is_lookup(&self) -> bool {
        true
    }

    async fn run_on(&self, connection: &mut Connection) -> Result<Vec<(u16, i64)>, TransactionFailure> {
        let query = Query { text: "SELECT number, version FROM nodes".to_owned(), params: Vec::new() };
        let answers = connection.run_pipeline(TransactionFrame::None, &[query]).await?;
        let mut versions = Vec::new();
        for row in answers.iter().flat_map(|answer| &answer.rows) {
            let row: &mut dyn RowReader = &mut PostgresRowReader::new(row);
            versions.push((row.int_as()?, row.int()?));
        }
        Ok(versions)
    }
}

/// An event, counted again.
pub(super) struct EventRecountRead(pub(super) EventId);

impl ReadOperation for EventRecountRead {
    type Output = Findings;

    async fn run_on(&self, connection: &mut Connection) -> Result<Findings, TransactionFailure> {
        // An event may have very many tickets.
        connection.execute(&format!("{BEGIN_LIST}; SET LOCAL statement_timeout = 0")).await?;
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
    /// Where connections are driven, whoever needs one: what is slow in one runtime does not slow down those of others.
    runtime: Handle,
    idle: Mutex<Vec<Connection>>,
    lookup_permits: Arc<Semaphore>,
    list_permits: Arc<Semaphore>,
    time_limit_ms: AtomicU64,
}

impl Pool {
    pub(super) fn new(target: ConnectTarget) -> Self {
        let pool = Self {
            target,
            runtime: Handle::current(),
            idle: Mutex::default(),
            lookup_permits: Arc::new(Semaphore::new(LOOKUP_CONNECTIONS)),
            list_permits: Arc::new(Semaphore::new(LIST_CONNECTIONS)),
            time_limit_ms: AtomicU64::new(0),
        };
        pool.set_time_limit(READ_TIME_LIMIT);
        pool
    }

    /// Sets how long one statement may take. Idle connections have the limit of before: they are not used again.
    pub(super) fn set_time_limit(&self, limit: Duration) {
        self.time_limit_ms.store(u64::try_from(limit.as_millis()).unwrap_or_default(), Ordering::Relaxed);
        self.idle.lock().clear();
    }

    /// The runtime in which connections are driven.
    pub(super) fn runtime(&self) -> &Handle {
        &self.runtime
    }

    pub(super) fn target(&self) -> &ConnectTarget {
        &self.target
    }

    /// Reads on an idle connection. One that turns out to be lost is replaced, once: a read has no effect.
    pub(super) async fn read<W: ReadOperation>(self: &Arc<Self>, work: W) -> Result<W::Output, StoreError> {
        let permits = if work.is_lookup() { &self.lookup_permits } else { &self.list_permits };
        let turn = tokio::time::timeout(PERMIT_WAIT_MAX, Arc::clone(permits).acquire_owned()).await;
        let busy = || StoreError::Busy("all connections to it are in use".to_owned());
        let mut permit = turn.map_err(|_| busy())?.map_err(|_| busy())?;
        let mut was_idle = true;
        loop {
            let idle = if was_idle { self.take_idle() } else { None };
            was_idle = idle.is_some();
            let mut lent = match idle {
                Some(connection) => LentConnection::new(self, connection, permit),
                None => self.connect(permit).await?,
            };
            match work.run_on(lent.connection()?).await {
                Err(TransactionFailure::Retryable(_) | TransactionFailure::ConnectionLost(_)) if was_idle => {
                    // Those that were idle beside it lead to the same server, and each may take its time to fail.
                    self.idle.lock().clear();
                    was_idle = false;
                    permit = lent.discard().ok_or_else(busy)?;
                }
                Err(lost @ TransactionFailure::ConnectionLost(_)) => {
                    lent.discard();
                    return Err(lost.into());
                }
                // It may be in the middle of something, which is ended before it is used again.
                Err(trouble) => return Err(trouble.into()),
                Ok(result) => {
                    lent.give_back();
                    return Ok(result);
                }
            }
        }
    }

    /// An idle connection or a new one, for the time before anybody reads.
    pub(super) async fn acquire(&self) -> Result<Connection, StoreError> {
        match self.take_idle() {
            Some(connection) => Ok(connection),
            None => self.open().await,
        }
    }

    /// A new connection. If nobody waits for it any more, it is kept for the next.
    async fn connect(self: &Arc<Self>, permit: OwnedSemaphorePermit) -> Result<LentConnection, StoreError> {
        let (sender, opened) = oneshot::channel();
        let pool = Arc::clone(self);
        self.runtime.spawn(async move {
            let opened = pool.open().await.map(|connection| LentConnection::new(&pool, connection, permit));
            drop(sender.send(opened));
        });
        opened.await.map_err(|error| StoreError::Unavailable(error.to_string()))?
    }

    async fn open(&self) -> Result<Connection, StoreError> {
        let target = self.target.clone();
        let opening = self.runtime.spawn(async move { Connection::open(&target, ConnectionRole::Reader).await });
        let connection = opening.await.map_err(|error| StoreError::Unavailable(error.to_string()))??;
        let limit_ms = self.time_limit_ms.load(Ordering::Relaxed);
        connection.execute(&format!("SET statement_timeout = {limit_ms}")).await?;
        Ok(connection)
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

/// A connection that somebody reads on. Where its reader is gone before it was done, the database goes on all the same: the
/// connection is in use, and its permit taken, until that has ended. A new one for the next would cost more than any read, and
/// the database would have as many as somebody likes to leave.
struct LentConnection {
    pool: Arc<Pool>,
    /// Until it is given back.
    lent: Option<(Connection, OwnedSemaphorePermit)>,
}

impl LentConnection {
    fn new(pool: &Arc<Pool>, connection: Connection, permit: OwnedSemaphorePermit) -> Self {
        Self { pool: Arc::clone(pool), lent: Some((connection, permit)) }
    }

    fn connection(&mut self) -> Result<&mut Connection, StoreError> {
        let lent = self.lent.as_mut().map(|(connection, _)| connection);
        lent.ok_or_else(|| StoreError::Unavailable("the connection was given back".to_owned()))
    }

    /// It is in the middle of nothing.
    fn give_back(mut self) {
        if let Some((connection, _permit)) = self.lent.take() {
            self.pool.release(connection);
        }
    }

    /// It is not used again.
    fn discard(mut self) -> Option<OwnedSemaphorePermit> {
        self.lent.take().map(|(_, permit)| permit)
    }
}

impl Drop for LentConnection {
    fn drop(&mut self) {
        let Some((connection, permit)) = self.lent.take() else { return };
        let pool = Arc::clone(&self.pool);
        self.pool.runtime.spawn(async move {
            // Statements are answered in turn. Whatever transaction there was ends with this one.
            if connection.execute("ROLLBACK").await.is_ok() {
                pool.release(connection);
            }
            drop(permit);
        });
    }
}
