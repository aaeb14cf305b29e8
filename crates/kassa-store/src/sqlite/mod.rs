//! One SQLite file in WAL mode: one writer that owns its connection, a few readers of each class, and a thread
//! that moves the log into the file.

mod checkpoint;
mod compression;
mod copy_source;
mod data_folder;
mod list_counts;
mod load;
mod log_index;
mod log_tap;
#[cfg(test)]
mod log_tests;
#[cfg(test)]
mod migration_tests;
mod readers;
mod schema;
#[cfg(feature = "scratch")]
pub mod scratch;
mod statements;
mod writer;

pub use copy_source::SqliteCopySource;
pub use data_folder::{DataFolder, verify_database};
pub use log_tap::{LogPages, LogPiece, LogPosition, LogTap, MalformedPosition, PageFile};
pub use writer::SqliteWriter;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use kassa_domain::audit::{EventRecount, Findings};
use kassa_domain::event::EventId;
use kassa_domain::partner::PartnerId;
use kassa_domain::user::UserId;
use kassa_domain::{ReadSet, View};
use rusqlite::config::DbConfig;
use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, Row};
use tokio::sync::oneshot;

use crate::aggregates::{
    CustomerTotals, CustomerTotalsByUserQuery, CustomerTotalsQuery, GroupedSales, SalesQuery, UsageRecountQuery,
    recount_queries,
};
use crate::cell::{Cell, RowReader};
use crate::error::StoreError;
use crate::lists::{Filter, Page, PageWindow, RememberedCounts, Statement, select_statement};
use crate::memory_budget::MemoryMeter;
use crate::row_scan::{RowCursor, ScanOrder, ScannedRow};
use crate::rows::{MappedRow, read_with_version};
use crate::schema_migrations::SQLITE_MIGRATIONS;
use crate::tables::UnplacedBatch;
use crate::{LOOKUP_KEYS_MAX, READ_TIME_LIMIT};
use checkpoint::{Checkpointer, LOG_LIMITS, LogLimits};
use list_counts::count_rows;
use log_index::LogIndex;
use readers::{LIST_CONNECTIONS, ReadClass, Readers};

/// How long a write waits for another program that writes to the same file.
const BUSY_TIMEOUT_MS: u64 = 10_000;
/// Statements that each connection keeps prepared.
const STATEMENT_CACHE_SIZE: usize = 256;
/// Pages that a connection keeps, in KiB. The writer walks over all of its own at each commit: more would cost
/// more than what they save, because what a sale touches lies together, and the system keeps the rest.
const CACHE_KIB: i64 = 4 * 1024;

/// A database file. Clones share it.
#[derive(Clone)]
pub struct Sqlite {
    inner: Arc<SqliteShared>,
}

struct SqliteShared {
    path: PathBuf,
    readers: Arc<Readers>,
    counts: Arc<RememberedCounts>,
    log_index: Arc<LogIndex>,
    checkpointer: Option<Checkpointer>,
    /// The last to close its connection: the log stays as it is.
    tap: Option<Arc<LogTap>>,
}

impl Sqlite {
    /// Opens the file at `path`, makes it when it is not there, and brings its schema up to date.
    /// `serves` says that this program writes all the time, and so also moves the log.
    pub fn open(path: &Path, serves: bool) -> Result<Self, StoreError> {
        Self::open_with_log(path, serves.then_some(LOG_LIMITS), None)
    }

    /// The same for a program that serves it, and keeps what is committed elsewhere, too: from where it did so before, if
    /// that is known.
    pub fn open_followed(path: &Path, from: Option<LogPosition>) -> Result<Self, StoreError> {
        schema::inspect(path)?;
        let tap = Arc::new(LogTap::open(path, from)?);
        Self::open_with_log(path, Some(LOG_LIMITS), Some(tap))
    }

    /// The same; the log is moved within these limits, if there are any.
    fn open_with_log(path: &Path, limits: Option<LogLimits>, tap: Option<Arc<LogTap>>) -> Result<Self, StoreError> {
        schema::inspect(path)?;
        let connection = connect(path, false)?;
        schema::migrate(&connection, SQLITE_MIGRATIONS)?;
        drop(connection);
        let readers = Arc::new(Readers::open(path, READ_TIME_LIMIT)?);
        let start = |limits| Checkpointer::start(path, Arc::clone(&readers), limits, tap.clone());
        let checkpointer = limits.map(start).transpose()?;
        let (path, counts, log_index) = (path.to_owned(), Arc::default(), Arc::new(LogIndex::open(path)?));
        Ok(Self { inner: Arc::new(SqliteShared { path, readers, counts, log_index, checkpointer, tap }) })
    }

    /// What follows its log, if anything does.
    pub fn log_tap(&self) -> Option<&Arc<LogTap>> {
        self.inner.tap.as_ref()
    }

    /// Sets how long one read may take.
    pub(crate) fn set_read_time_limit(&self, limit: Duration) {
        self.inner.readers.set_time_limit(limit);
    }

    /// How many lists can be read at the same time.
    pub(crate) fn list_connections() -> usize {
        LIST_CONNECTIONS as usize
    }

    /// The size of the log; 0 where there is none.
    pub(crate) fn log_bytes(&self) -> u64 {
        let mut path = OsString::from(&self.inner.path);
        path.push("-wal");
        std::fs::metadata(path).map_or(0, |log| log.len())
    }

    pub(crate) fn writer(&self) -> Result<SqliteWriter, StoreError> {
        let connection = connect(&self.inner.path, false)?;
        let checkpointer = self.inner.checkpointer.as_ref();
        if let Some(limits) = checkpointer.map(Checkpointer::limits) {
            // Commits do it only when the thread that should has failed: their callers wait for it.
            connection.pragma_update(None, "wal_autocheckpoint", limits.autocheckpoint_pages())?;
            connection.pragma_update(None, "journal_size_limit", limits.bytes_kept())?;
        }
        let log_index = Arc::clone(&self.inner.log_index);
        Ok(SqliteWriter::new(connection, log_index, checkpointer.map(Checkpointer::write_turn)))
    }

    pub(crate) async fn view(&self, read_set: &ReadSet) -> Result<View, StoreError> {
        if read_set.len() > LOOKUP_KEYS_MAX {
            return self.view_for_list(read_set).await;
        }
        // A handful of look-ups by key: shorter than a way to another thread and back.
        let readers = &self.inner.readers;
        let _permit = readers.admit(ReadClass::LookUp).await?;
        readers.read(ReadClass::LookUp, |connection| load::load(connection, read_set))
    }

    pub(crate) async fn writer_versions(&self) -> Result<Vec<(u16, i64)>, StoreError> {
        let SqliteShared { readers, log_index, .. } = &*self.inner;
        let header = log_index.header();
        if let Some(versions) = log_index.versions_at(header) {
            return Ok(versions);
        }
        let _permit = readers.admit(ReadClass::LookUp).await?;
        let versions: Vec<_> = readers.read_once(ReadClass::LookUp, |connection| {
            let mut select = connection.prepare_cached("SELECT number, version FROM nodes")?;
            let versions = select.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(versions.collect::<Result<_, _>>()?)
        })?;
        log_index.remember_versions(header, &versions);
        Ok(versions)
    }

    pub(crate) async fn view_for_list(&self, read_set: &ReadSet) -> Result<View, StoreError> {
        let read_set = read_set.clone();
        self.read_blocking(ReadClass::List, move |connection| load::load(connection, &read_set)).await
    }

    pub(crate) async fn page<F: Filter>(&self, filter: F, slice: PageWindow) -> Result<Page<F::Row>, StoreError> {
        let counts = Arc::clone(&self.inner.counts);
        self.read_blocking(ReadClass::List, move |connection| {
            let mut rows = Vec::new();
            query_statement(connection, &select_statement(&filter, slice), &mut |source| {
                rows.push(F::Row::read(source)?);
                Ok(())
            })?;
            let total = count_rows(connection, &counts, &filter, slice.count)?.unwrap_or(rows.len() as u64);
            Ok(Page { rows, total })
        })
        .await
    }

    pub(crate) async fn unplaced_batches(&self, limit: u32) -> Result<Vec<UnplacedBatch>, StoreError> {
        let readers = &self.inner.readers;
        let _permit = readers.admit(ReadClass::LookUp).await?;
        readers.read(ReadClass::LookUp, |connection| {
            let mut batches = Vec::new();
            query_statement(connection, &UnplacedBatch::statement("rowid", limit), &mut |source| {
                batches.push(UnplacedBatch::read(source)?);
                Ok(())
            })?;
            Ok(batches)
        })
    }

    pub(crate) async fn customer_totals(&self, query: CustomerTotalsQuery) -> Result<CustomerTotals, StoreError> {
        self.read_blocking(ReadClass::List, move |connection| {
            let mut sums = CustomerTotals::default();
            query_statement(connection, &query.statement(), &mut |source| {
                sums = CustomerTotals::read(source)?;
                Ok(())
            })?;
            Ok(sums)
        })
        .await
    }

    pub(crate) async fn customer_totals_by_user(
        &self,
        query: CustomerTotalsByUserQuery,
    ) -> Result<BTreeMap<UserId, CustomerTotals>, StoreError> {
        self.read_blocking(ReadClass::List, move |connection| {
            let mut found = BTreeMap::new();
            query_statement(connection, &query.statement(), &mut |source| {
                found.extend([CustomerTotalsByUserQuery::read(source)?]);
                Ok(())
            })?;
            Ok(found)
        })
        .await
    }

    pub(crate) async fn sales(&self, query: SalesQuery) -> Result<Vec<GroupedSales>, StoreError> {
        self.read_blocking(ReadClass::List, move |connection| {
            let mut found = Vec::new();
            query_statement(connection, &query.statement(), &mut |source| {
                found.push(query.read(source)?);
                Ok(())
            })?;
            Ok(found)
        })
        .await
    }

    pub(crate) async fn scan<R: MappedRow>(
        &self,
        after: Option<&RowCursor>,
        limit: usize,
    ) -> Result<Vec<ScannedRow<R>>, StoreError> {
        let statement = ScanOrder::Key.rows_after::<R>(after, limit);
        self.read_blocking(ReadClass::List, move |connection| {
            let mut rows = Vec::new();
            query_statement(connection, &statement, &mut |source| {
                rows.push(ScanOrder::Key.read_row(source)?);
                Ok(())
            })?;
            Ok(rows)
        })
        .await
    }

    pub(crate) async fn recount_event(&self, event: EventId) -> Result<Findings, StoreError> {
        self.read_blocking(ReadClass::Recount, move |connection| {
            let mut recount = EventRecount::default();
            for query in recount_queries(event) {
                query_statement(connection, &query.statement, &mut |source| query.add_row(source, &mut recount))?;
            }
            Ok(recount.finish())
        })
        .await
    }

    pub(crate) async fn recount_usage(&self, partner: PartnerId) -> Result<Findings, StoreError> {
        self.read_blocking(ReadClass::Recount, move |connection| {
            let (query, mut findings) = (UsageRecountQuery(partner), Findings::default());
            query_statement(connection, &query.statement(), &mut |source| {
                findings.extend(query.read(source)?);
                Ok(())
            })?;
            Ok(findings)
        })
        .await
    }

    /// Reads on a thread that may wait for the disk.
    async fn read_blocking<T: Send + 'static>(
        &self,
        class: ReadClass,
        read: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (reply, answer) = oneshot::channel();
        let meter = MemoryMeter::try_current();
        let done = self.run_blocking(
            class,
            Box::new(move |readers| {
                // Nobody waits any more for what was asked by a request that is gone.
                if !reply.is_closed() {
                    let _ = reply.send(MemoryMeter::scope_blocking(meter, || readers.read(class, read)));
                }
            }),
        );
        done.await?;
        answer.await.unwrap_or_else(|error| Err(StoreError::Unavailable(error.to_string())))
    }

    /// What does not depend on the type of the result is compiled once.
    fn run_blocking(
        &self,
        class: ReadClass,
        work: Box<dyn FnOnce(&Readers) + Send>,
    ) -> BoxFuture<'static, Result<(), StoreError>> {
        let readers = Arc::clone(&self.inner.readers);
        Box::pin(async move {
            // The permit stays with the read, also when the request is gone meanwhile.
            let permit = readers.admit(class).await?;
            let done = tokio::task::spawn_blocking(move || {
                work(&readers);
                drop(permit);
            });
            done.await.map_err(|error| StoreError::Unavailable(error.to_string()))
        })
    }
}

/// A connection with the settings that all of them share.
fn connect(path: &Path, reads_only: bool) -> Result<Connection, StoreError> {
    let access = if reads_only {
        OpenFlags::SQLITE_OPEN_READ_ONLY
    } else {
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE
    };
    let connection = Connection::open_with_flags(path, access | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(std::time::Duration::from_millis(BUSY_TIMEOUT_MS))?;
    connection.set_prepared_statement_cache_capacity(STATEMENT_CACHE_SIZE);
    // A plan is for every value: no statement is prepared again because of one.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
    if !reads_only {
        // WAL with FULL: a commit is on the disk when it returns.
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
    }
    Ok(connection)
}

/// Runs a statement without parameters and without rows.
fn execute(connection: &Connection, text: &str) -> Result<(), StoreError> {
    connection.prepare_cached(text)?.raw_execute()?;
    Ok(())
}

/// Runs a statement and gives each of its rows.
fn query_statement(
    connection: &Connection,
    statement: &Statement,
    give: &mut dyn FnMut(&mut dyn RowReader) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    // `$1` would be a name to SQLite; `?1` is the first parameter.
    query_text(connection, &statement.text.replace('$', "?"), &statement.args, give)
}

fn query_text(
    connection: &Connection,
    text: &str,
    args: &[Cell<'_>],
    give: &mut dyn FnMut(&mut dyn RowReader) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let mut statement = connection.prepare_cached(text)?;
    for (at, cell) in args.iter().enumerate() {
        statement.raw_bind_parameter(at + 1, cell)?;
    }
    let meter = MemoryMeter::try_current();
    let mut rows = statement.raw_query();
    while let Some(row) = rows.next()? {
        let mut source = SqliteRowReader::new(row);
        give(&mut source)?;
        if let Some(meter) = &meter {
            meter.charge(source.bytes)?;
        }
    }
    Ok(())
}

/// Loads the rows that a statement gives, with their versions.
fn query_rows<R: MappedRow>(
    connection: &Connection,
    text: &str,
    args: &[Cell<'_>],
    mut give: impl FnMut(R, i64),
) -> Result<(), StoreError> {
    query_text(connection, text, args, &mut |source| {
        let (row, version) = read_with_version(source)?;
        give(row, version);
        Ok(())
    })
}

impl ToSql for Cell<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Int(value) => ValueRef::Integer(*value),
            Self::Text(value) => ValueRef::Text(value.as_bytes()),
            Self::Blob(value) => ValueRef::Blob(value),
        }))
    }
}

struct SqliteRowReader<'a, 'b> {
    row: &'a Row<'b>,
    at: usize,
    /// How long the values are together that were read.
    bytes: usize,
}

impl<'a, 'b> SqliteRowReader<'a, 'b> {
    fn new(row: &'a Row<'b>) -> Self {
        Self { row, at: 0, bytes: 0 }
    }
}

impl RowReader for SqliteRowReader<'_, '_> {
    fn next_compressed(&mut self) -> Result<Cell<'_>, StoreError> {
        let Cell::Blob(stored) = self.next_cell()? else { return Err(StoreError::Corrupt("no bytes".to_owned())) };
        let bytes = compression::decompress(&stored)?.into_owned();
        self.bytes += bytes.len();
        Ok(Cell::Blob(bytes.into()))
    }

    fn next_cell(&mut self) -> Result<Cell<'_>, StoreError> {
        let value = self.row.get_ref(self.at)?;
        self.at += 1;
        self.bytes += match value {
            ValueRef::Text(value) | ValueRef::Blob(value) => value.len(),
            ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => size_of::<i64>(),
        };
        match value {
            ValueRef::Null => Ok(Cell::Null),
            ValueRef::Integer(value) => Ok(Cell::Int(value)),
            ValueRef::Text(value) => match str::from_utf8(value) {
                Ok(text) => Ok(text.into()),
                Err(error) => Err(StoreError::Corrupt(error.to_string())),
            },
            ValueRef::Blob(value) => Ok(value.into()),
            ValueRef::Real(_) => Err(StoreError::Corrupt("a fraction".to_owned())),
        }
    }
}

/// What an error of SQLite means to the caller of a driver.
impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        let text = error.to_string();
        match error.sqlite_error_code() {
            Some(ErrorCode::ConstraintViolation) => Self::Constraint(text),
            Some(ErrorCode::NotADatabase) => Self::Foreign(format!("kassa.db is no database of Kassa: {text}")),
            Some(ErrorCode::DatabaseCorrupt) | None => Self::Corrupt(text),
            Some(ErrorCode::OperationInterrupted) => Self::ReadTimeout,
            Some(ErrorCode::SystemIoFailure) => {
                Self::Unavailable(format!("{text}: the disk may be full, read-only or broken"))
            }
            // Full, busy, locked, read-only, no permission, I/O: it may work again later.
            Some(_) => Self::Unavailable(text),
        }
    }
}
