//! The connections of those who read.

use std::time::Duration;

use kassa_domain::audit::{Books, Findings};
use kassa_domain::event::EventId;
use kassa_domain::{Needs, View};
use parking_lot::Mutex;
use tokio::sync::Semaphore;

use super::cells::RowSource;
use super::connection::{Answer, Connection, Role, SNAPSHOT, Target};
use super::errors::Trouble;
use super::load;
use crate::error::StoreError;
use crate::queries::{Statement, tally};

/// Connections that read.
const READERS: usize = 8;
/// How long a reader waits for its turn.
const TURN_MAX: Duration = Duration::from_secs(5);

/// What is read.
pub(super) trait Work: Sync {
    type Found: Send;

    fn on(&self, connection: &mut Connection) -> impl Future<Output = Result<Self::Found, Trouble>> + Send;
}

/// Rows by selector.
impl Work for &Needs {
    type Found = View;

    async fn on(&self, connection: &mut Connection) -> Result<View, Trouble> {
        load::read(connection, self).await
    }
}

/// Lists.
impl Work for &[Statement] {
    type Found = Vec<Answer>;

    async fn on(&self, connection: &mut Connection) -> Result<Vec<Answer>, Trouble> {
        Ok(connection.run_once(self).await?)
    }
}

/// An event, counted again.
pub(super) struct Tally(pub(super) EventId);

impl Work for Tally {
    type Found = Findings;

    async fn on(&self, connection: &mut Connection) -> Result<Findings, Trouble> {
        // An event may have very many tickets.
        connection.execute(&format!("{SNAPSHOT}; SET LOCAL statement_timeout = 0")).await?;
        let mut books = Books::default();
        for course in tally::courses(self.0) {
            connection.each(&course.statement, |row| course.take(&mut RowSource::new(row), &mut books)).await?;
        }
        connection.execute("COMMIT").await?;
        Ok(books.close())
    }
}

pub(super) struct Pool {
    target: Target,
    idle: Mutex<Vec<Connection>>,
    permits: Semaphore,
}

impl Pool {
    pub(super) fn new(target: Target) -> Self {
        Self { target, idle: Mutex::default(), permits: Semaphore::new(READERS) }
    }

    pub(super) fn target(&self) -> &Target {
        &self.target
    }

    /// Reads on an idle connection. One that turns out to be lost is replaced, once: a read has no effect.
    pub(super) async fn read<W: Work>(&self, work: W) -> Result<W::Found, StoreError> {
        let turn = tokio::time::timeout(TURN_MAX, self.permits.acquire()).await;
        let busy = || StoreError::Busy("all connections to it are in use".to_owned());
        let _permit = turn.map_err(|_| busy())?.map_err(|_| busy())?;
        let mut was_idle = true;
        loop {
            let idle = if was_idle { self.idle() } else { None };
            was_idle = idle.is_some();
            let mut connection = match idle {
                Some(connection) => connection,
                None => Connection::open(&self.target, Role::Reader).await?,
            };
            match work.on(&mut connection).await {
                Err(Trouble::Again(_) | Trouble::Lost(_)) if was_idle => {
                    // Those that were idle beside it lead to the same server, and each may take its time to fail.
                    self.idle.lock().clear();
                    was_idle = false;
                }
                // A connection that has failed may be in the middle of something: it is not used again.
                Err(trouble) => return Err(trouble.into()),
                Ok(result) => {
                    self.give_back(connection);
                    return Ok(result);
                }
            }
        }
    }

    /// An idle connection or a new one, for the time before anybody reads.
    pub(super) async fn connection(&self) -> Result<Connection, StoreError> {
        match self.idle() {
            Some(connection) => Ok(connection),
            None => Connection::open(&self.target, Role::Reader).await,
        }
    }

    /// Keeps a connection that is in the middle of nothing.
    pub(super) fn give_back(&self, connection: Connection) {
        self.idle.lock().push(connection);
    }

    fn idle(&self) -> Option<Connection> {
        let mut idle = self.idle.lock();
        idle.retain(|connection| !connection.is_closed());
        idle.pop()
    }
}
