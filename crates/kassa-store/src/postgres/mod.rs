//! A PostgreSQL database: a few connections that read, and one for each lane that writes.
//!
//! A batch takes two round trips whatever its size: begin and load (which locks), write and commit; one or two
//! more where tickets with seats lead to further rows, and one where a statement is new to the connection. On a database that
//! is spread, the commit of what is written by the names of tables takes one of its own.

mod batch_statements;
#[cfg(test)]
mod commit_tests;
mod connection;
mod copy_target;
mod counted_list;
mod distribute;
mod errors;
#[cfg(test)]
mod lint;
mod load;
mod lookup_statements;
#[cfg(test)]
mod migration_tests;
mod migrator;
mod params;
mod pipeline;
mod pool;
mod schema;
#[cfg(feature = "scratch")]
pub mod scratch;
mod script;
mod seat_picking;
mod shards;
mod shared_query;
mod snapshot;
mod statements;
mod tls;
mod url;
#[cfg(test)]
mod walk_tests;
mod writer;

pub(crate) use copy_target::PostgresCopyTarget;
pub use distribute::Distribution;
pub use url::{DatabaseUrl, InvalidDatabaseUrl};
pub use writer::PostgresWriter;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use kassa_domain::audit::Findings;
use kassa_domain::event::EventId;
use kassa_domain::partner::PartnerId;
use kassa_domain::user::UserId;
use kassa_domain::{ReadSet, ShardTag, View};
use parking_lot::RwLock;

use crate::LOOKUP_KEYS_MAX;
use crate::aggregates::{
    CustomerTotals, CustomerTotalsByUserQuery, CustomerTotalsQuery, GroupedSales, SalesQuery, UsageRecountQuery,
};
use crate::error::StoreError;
use crate::health::PostgresHealth;
use crate::lists::{
    Filter, Page, PageWindow, RememberedCounts, RowPlacement, Statement, count_is_remembered, page_statements,
};
use crate::row_scan::{RowCursor, ScanOrder, ScannedRow};
use crate::rows::MappedRow;
use crate::schema_migrations::{POSTGRES_MIGRATIONS, SchemaMigration};
use crate::tables::UnplacedBatch;
use connection::ConnectTarget;
use counted_list::CountedListRead;
use params::PostgresRowReader;
use pipeline::QueryResult;
use pool::{EventRecountRead, ListRead, Pool, RowsRead, StatementLookUp, WriterVersionsRead};
use shards::{Placement, Shards, SharedShards};
use shared_query::SharedQuery;
use tls::Tls;

/// A database. Clones share it.
#[derive(Clone)]
pub struct Postgres {
    pool: Arc<Pool>,
    writer_versions: Arc<SharedQuery<Vec<(u16, i64)>>>,
    shards: SharedShards,
    counts: Arc<RememberedCounts>,
}

/// What there is in a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseStatus {
    /// The steps of the schema that are missing; `None` where there is nothing of ours.
    pub pending_migrations: Option<Vec<SchemaMigration>>,
    /// Whether an installation has begun there, and so has a secret.
    pub in_use: bool,
    /// Whether a copy into it was begun and is not finished: it is of no use yet.
    pub is_unfinished_copy: bool,
}

impl Postgres {
    /// Connects, and sees that the server will do. Changes nothing.
    pub fn connect(url: &DatabaseUrl) -> BoxFuture<'_, Result<Self, StoreError>> {
        Box::pin(async move {
            let target = ConnectTarget { url: url.clone(), tls: Tls::new(url)? };
            let pool = Arc::new(Pool::new(target));
            let connection = pool.acquire().await?;
            schema::check_server(&connection).await?;
            let shards = Shards::read(&connection, &[]).await?.map(Arc::new);
            pool.release(connection);
            Ok(Self {
                pool,
                writer_versions: Arc::default(),
                shards: Arc::new(RwLock::new(shards)),
                counts: Arc::default(),
            })
        })
    }

    /// What there is, without changing anything. A database that is not ours, or newer, is refused.
    pub fn status(&self) -> BoxFuture<'_, Result<DatabaseStatus, StoreError>> {
        Box::pin(async move {
            let connection = self.pool.acquire().await?;
            let missing = schema::pending_migrations(&connection, POSTGRES_MIGRATIONS).await?;
            let has_settings = missing.as_ref().is_some_and(|missing| missing.iter().all(|step| step.number > 1));
            let in_use = has_settings && schema::has_installation_settings(&connection).await?;
            let was_copied = schema::inspect(&connection).await?.copy_record;
            let is_unfinished_copy = was_copied && schema::is_unfinished_copy(&connection).await?;
            self.pool.release(connection);
            Ok(DatabaseStatus { pending_migrations: missing, in_use, is_unfinished_copy })
        })
    }

    /// The schema that its tables are in, such as `public`.
    pub fn schema_name(&self) -> BoxFuture<'_, Result<String, StoreError>> {
        Box::pin(async move {
            let connection = self.pool.acquire().await?;
            let name = schema::schema_name(&connection).await?;
            self.pool.release(connection);
            Ok(name)
        })
    }

    /// How the server is set up. Changes nothing.
    pub fn health(&self) -> BoxFuture<'_, Result<PostgresHealth, StoreError>> {
        Box::pin(async move {
            let connection = self.pool.acquire().await?;
            let health = schema::health(&connection).await?;
            self.pool.release(connection);
            Ok(health)
        })
    }

    /// Brings the schema up to date, or says why not. Tells the steps that were applied here, and not by
    /// another program at the same time.
    pub fn migrate(&self) -> BoxFuture<'_, Result<Vec<SchemaMigration>, StoreError>> {
        Box::pin(async move {
            match self.status().await?.pending_migrations {
                Some(missing) if missing.is_empty() => Ok(missing),
                Some(_) | None => migrator::migrate(self.pool.target(), POSTGRES_MIGRATIONS).await,
            }
        })
    }

    /// Spreads all tables over the servers of the database that are not yet, unless a server of ours runs on it.
    pub fn distribute(&self) -> BoxFuture<'_, Result<Distribution, StoreError>> {
        Box::pin(async move {
            let spread = distribute::distribute(self.pool.target()).await?;
            let connection = self.pool.acquire().await?;
            *self.shards.write() = Shards::read(&connection, &[]).await?.map(Arc::new);
            self.pool.release(connection);
            Ok(spread)
        })
    }

    /// Connects, and brings the schema up to date.
    pub async fn open(url: &DatabaseUrl) -> Result<Self, StoreError> {
        let postgres = Self::connect(url).await?;
        postgres.migrate().await?;
        Ok(postgres)
    }

    /// The database as the target of a copy.
    pub(crate) async fn copy_target(&self) -> Result<PostgresCopyTarget, StoreError> {
        PostgresCopyTarget::open(self.pool.target()).await
    }

    pub(crate) fn writer(&self, seed: u64, place: usize) -> PostgresWriter {
        PostgresWriter::new(self.pool.target(), Placement::new(Arc::clone(&self.shards), place), seed)
    }

    /// Whether its rows are spread over several servers.
    pub(crate) fn is_spread(&self) -> bool {
        self.shards.read().is_some()
    }

    /// How many servers have rows of events.
    pub(crate) fn places(&self) -> usize {
        self.shards.read().as_ref().map_or(1, |shards| shards.servers().len())
    }

    /// Which of these has the row of a table that has this tag.
    pub(crate) fn place_of(&self, table: &str, tag: ShardTag) -> usize {
        self.shards.read().as_ref().map_or(0, |shards| shards.server_of(table, tag))
    }

    /// Sets how long one statement of a read may take.
    pub(crate) fn set_read_time_limit(&self, limit: Duration) {
        self.pool.set_time_limit(limit);
    }

    /// How many lists can be read at the same time.
    pub(crate) fn list_connections() -> usize {
        pool::LIST_CONNECTIONS
    }

    pub(crate) async fn view(&self, read_set: &ReadSet) -> Result<View, StoreError> {
        self.read_rows(read_set, read_set.len() <= LOOKUP_KEYS_MAX).await
    }

    pub(crate) async fn writer_versions(&self) -> Result<Vec<(u16, i64)>, StoreError> {
        let pool = Arc::clone(&self.pool);
        let query = move || {
            let pool = Arc::clone(&pool);
            async move { pool.read(WriterVersionsRead).await }
        };
        self.writer_versions.ask(self.pool.runtime(), query).await
    }

    pub(crate) async fn view_for_list(&self, read_set: &ReadSet) -> Result<View, StoreError> {
        self.read_rows(read_set, false).await
    }

    async fn read_rows(&self, read_set: &ReadSet, is_lookup: bool) -> Result<View, StoreError> {
        let mut read_set = read_set.clone();
        read_set.normalize();
        self.pool.read(RowsRead { read_set: &read_set, is_lookup }).await
    }

    pub(crate) async fn page<F: Filter>(&self, filter: F, slice: PageWindow) -> Result<Page<F::Row>, StoreError> {
        let is_spread = self.is_spread();
        if !is_spread && count_is_remembered(&filter, slice.count) {
            let read = CountedListRead { filter: &filter, slice, counts: &self.counts };
            let (page, total) = self.pool.read(read).await?;
            return Ok(Page { rows: rows_of::<F::Row>(&page)?, total });
        }
        let placement = if is_spread { RowPlacement::Spread } else { RowPlacement::Together };
        let statements = page_statements(&filter, placement, slice);
        let read = ListRead { statements: &statements, walks_index: filter.walks_index() };
        let answers = self.pool.read(read).await?;
        let mut answers = answers.iter();
        let rows = answers.next().map_or_else(|| Ok(Vec::new()), rows_of::<F::Row>)?;
        let total = match answers.next() {
            Some(counted) => slice.count.bounded(counted.number()?),
            None => rows.len() as u64,
        };
        Ok(Page { rows, total })
    }

    pub(crate) async fn unplaced_batches(&self, limit: u32) -> Result<Vec<UnplacedBatch>, StoreError> {
        let answers = self.pool.read(StatementLookUp(UnplacedBatch::statement("stamp", limit))).await?;
        let rows = answers.iter().flat_map(|answer| &answer.rows);
        rows.map(|row| UnplacedBatch::read(&mut PostgresRowReader::new(row))).collect()
    }

    pub(crate) async fn customer_totals(&self, query: CustomerTotalsQuery) -> Result<CustomerTotals, StoreError> {
        let answers = self.run_statements(&[query.statement()]).await?;
        let row = answers.first().and_then(|answer| answer.rows.first());
        row.map_or_else(|| Ok(CustomerTotals::default()), |row| CustomerTotals::read(&mut PostgresRowReader::new(row)))
    }

    pub(crate) async fn customer_totals_by_user(
        &self,
        query: CustomerTotalsByUserQuery,
    ) -> Result<BTreeMap<UserId, CustomerTotals>, StoreError> {
        let answers = self.run_statements(&[query.statement()]).await?;
        let rows = answers.iter().flat_map(|answer| &answer.rows);
        rows.map(|row| CustomerTotalsByUserQuery::read(&mut PostgresRowReader::new(row))).collect()
    }

    pub(crate) async fn sales(&self, query: SalesQuery) -> Result<Vec<GroupedSales>, StoreError> {
        let answers = self.run_statements(&[query.statement()]).await?;
        let rows = answers.iter().flat_map(|answer| &answer.rows);
        rows.map(|row| query.read(&mut PostgresRowReader::new(row))).collect()
    }

    pub(crate) async fn scan<R: MappedRow>(
        &self,
        after: Option<&RowCursor>,
        limit: usize,
    ) -> Result<Vec<ScannedRow<R>>, StoreError> {
        let answers = self.run_statements(&[ScanOrder::TagAndKey.rows_after::<R>(after, limit)]).await?;
        let rows = answers.iter().flat_map(|answer| &answer.rows);
        rows.map(|row| ScanOrder::TagAndKey.read_row(&mut PostgresRowReader::new(row))).collect()
    }

    pub(crate) async fn recount_event(&self, event: EventId) -> Result<Findings, StoreError> {
        self.pool.read(EventRecountRead(event)).await
    }

    pub(crate) async fn recount_usage(&self, partner: PartnerId) -> Result<Findings, StoreError> {
        let query = UsageRecountQuery(partner);
        let answers = self.run_statements(&[query.statement()]).await?;
        let row = answers.first().and_then(|answer| answer.rows.first());
        row.map_or_else(|| Ok(Findings::default()), |row| query.read(&mut PostgresRowReader::new(row)))
    }

    async fn run_statements(&self, statements: &[Statement]) -> Result<Vec<QueryResult>, StoreError> {
        self.pool.read(ListRead { statements, walks_index: false }).await
    }
}

/// The rows of a table that a statement gives.
fn rows_of<R: MappedRow>(answer: &QueryResult) -> Result<Vec<R>, StoreError> {
    answer.rows.iter().map(|row| R::read(&mut PostgresRowReader::new(row))).collect()
}
