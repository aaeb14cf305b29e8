//! The storage port and its drivers.
//!
//! The port is small: load the rows that a batch names, let it decide, write what it changed
//! ([`Writer::transact`]); read rows without a lock ([`Store::view`]); and lists
//! ([`Store::page`]). Rows and columns are mapped once ([`rows`]), and serve all drivers. Nothing
//! outside `sqlite/` names SQLite's library, nor anything outside `postgres/` PostgreSQL's.

mod aggregates;
pub mod cell;
pub mod driver_bounds;
pub mod error;
#[cfg(feature = "test-drivers")]
pub mod fault_injection;
pub mod health;
pub mod installation_copy;
mod lists;
#[cfg(feature = "test-drivers")]
pub mod memory;
pub mod memory_budget;
#[cfg(feature = "test-drivers")]
pub mod memory_tables;
pub mod postgres;
pub mod row_scan;
pub mod rows;
mod schema_migrations;
mod selectors;
pub mod sqlite;
pub mod system_authorities;
mod tables;

pub use error::StoreError;
pub use lists::{Filter, Page, PageWindow, RowCount};
pub use row_scan::{RowCursor, ScannedRow};
pub use schema_migrations::SchemaMigration;

/// Lists of rows, and sums over them.
pub mod queries {
    pub use crate::aggregates::{
        CustomerTotals, CustomerTotalsByUserQuery, CustomerTotalsQuery, CustomerTotalsScope, GroupedSales, SalesGroup,
        SalesQuery, SalesSide,
    };
    pub use crate::lists::{
        Comparison, Conditions, Filter, NEWEST_FIRST, Page, PageWindow, Predicate, SortKey, Statement, TaggedKey,
        Visibility, count_statement, select_statement,
    };
    pub use crate::tables::*;
}

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::future::BoxFuture;
use kassa_domain::audit::Findings;
use kassa_domain::event::EventId;
use kassa_domain::node::Node;
use kassa_domain::order::Order;
use kassa_domain::partner::PartnerId;
use kassa_domain::user::UserId;
use kassa_domain::{ReadSet, ShardTag, View};
use rows::{MappedRow as _, RowKey};

/// What a batch does between load and write. It may run again. An error ends the transaction and
/// leaves nothing behind.
pub type DecideFn<'a> = dyn FnMut(&mut View) -> Result<(), StoreError> + Send + 'a;

/// A database, seen through whichever driver.
///
/// What its methods do is long, and a future is compiled in the crate that awaits it: those that are no lists are
/// boxed, and so compiled here, once. What PostgreSQL needs is much longer than the rest, and boxed by itself: others
/// need not reserve its room.
#[derive(Clone)]
pub enum Store {
    /// All in memory: for tests and simulation.
    #[cfg(feature = "test-drivers")]
    Memory(memory::Memory),
    /// One file on this machine.
    Sqlite(sqlite::Sqlite),
    /// A server, which several programs may share.
    Postgres(postgres::Postgres),
    /// Any of them, with faults: for simulation.
    #[cfg(feature = "test-drivers")]
    Faulty(Box<fault_injection::FaultInjectingStore>),
}

/// The one who writes. Each lane has its own.
pub enum Writer {
    /// Of [`Store::Memory`].
    #[cfg(feature = "test-drivers")]
    Memory(memory::Memory),
    /// Of [`Store::Sqlite`].
    Sqlite(Box<sqlite::SqliteWriter>),
    /// Of [`Store::Postgres`].
    Postgres(Box<postgres::PostgresWriter>),
    /// Of [`Store::Faulty`].
    #[cfg(feature = "test-drivers")]
    Faulty(Box<fault_injection::FaultInjectingWriter>),
}

/// Lanes of one program on a server: more would not wait less for each other, and take connections from others.
const POSTGRES_LANES_MAX: usize = 64;

/// Lists that are read from memory at the same time: about as many as from a database.
#[cfg(feature = "test-drivers")]
const MEMORY_LISTS: usize = 4;

/// How long one read may take, unless the operator says otherwise.
pub const READ_TIME_LIMIT: Duration = Duration::from_secs(10);
/// The most keys of a read set that is a look-up: with more, it is read as a list is.
pub const LOOKUP_KEYS_MAX: usize = 256;

impl Store {
    /// Sets how long a look-up, or a page of a list, may take; recounts take as long as they take. Other clones of the
    /// store keep to it, too.
    pub fn set_read_time_limit(&self, limit: Duration) {
        match self {
            #[cfg(feature = "test-drivers")]
            Self::Memory(_) => {}
            Self::Sqlite(sqlite) => sqlite.set_read_time_limit(limit),
            Self::Postgres(postgres) => postgres.set_read_time_limit(limit),
            #[cfg(feature = "test-drivers")]
            Self::Faulty(store) => store.store.set_read_time_limit(limit),
        }
    }

    /// How many lists can be read at the same time: more would wait for a connection.
    pub fn list_connections(&self) -> usize {
        match self {
            #[cfg(feature = "test-drivers")]
            Self::Memory(_) => MEMORY_LISTS,
            Self::Sqlite(_) => sqlite::Sqlite::list_connections(),
            Self::Postgres(_) => postgres::Postgres::list_connections(),
            #[cfg(feature = "test-drivers")]
            Self::Faulty(store) => store.store.list_connections(),
        }
    }

    /// The size of the write-ahead log in bytes, where that is a matter of this program.
    pub fn log_bytes(&self) -> Option<u64> {
        match self {
            #[cfg(feature = "test-drivers")]
            Self::Memory(_) => None,
            Self::Sqlite(sqlite) => Some(sqlite.log_bytes()),
            Self::Postgres(_) => None,
            #[cfg(feature = "test-drivers")]
            Self::Faulty(store) => store.store.log_bytes(),
        }
    }

    /// How many lanes of a program may write side by side.
    pub fn lanes_max(&self) -> usize {
        match self {
            // Whoever writes has the whole of it.
            #[cfg(feature = "test-drivers")]
            Self::Memory(_) => 1,
            Self::Sqlite(_) => 1,
            Self::Postgres(_) => POSTGRES_LANES_MAX,
            #[cfg(feature = "test-drivers")]
            Self::Faulty(store) => store.store.lanes_max(),
        }
    }

    /// Whether batches get their places in the feed by a sequencer, after their commit: where several writers commit
    /// side by side. Elsewhere each batch takes its place in its own transaction.
    pub fn has_sequencer(&self) -> bool {
        match self {
            #[cfg(feature = "test-drivers")]
            Self::Memory(memory) => memory.has_sequencer(),
            Self::Sqlite(_) => false,
            Self::Postgres(_) => true,
            #[cfg(feature = "test-drivers")]
            Self::Faulty(store) => store.store.has_sequencer(),
        }
    }

    /// The batches of changes that have no place in the feed yet, in the order of their insertion stamps; at most so
    /// many.
    pub fn unplaced_batches(&self, limit: u32) -> BoxFuture<'_, Result<Vec<queries::UnplacedBatch>, StoreError>> {
        Box::pin(async move {
            match self {
                #[cfg(feature = "test-drivers")]
                Self::Memory(memory) => Ok(memory.unplaced_batches(limit)),
                Self::Sqlite(sqlite) => sqlite.unplaced_batches(limit).await,
                Self::Postgres(postgres) => Box::pin(postgres.unplaced_batches(limit)).await,
                #[cfg(feature = "test-drivers")]
                Self::Faulty(store) => store.store.unplaced_batches(limit).await,
            }
        })
    }

    /// The numbers of all writers with the versions of their rows: every batch that was committed before this was asked has
    /// moved one of them.
    pub async fn writer_versions(&self) -> Result<Vec<(u16, i64)>, StoreError> {
        match self {
            #[cfg(feature = "test-drivers")]
            Self::Memory(memory) => Ok(memory.writer_versions()),
            Self::Sqlite(sqlite) => sqlite.writer_versions().await,
            // All who ask at the same time share a query.
            Self::Postgres(postgres) => Box::pin(postgres.writer_versions()).await,
            #[cfg(feature = "test-drivers")]
            Self::Faulty(store) => Box::pin(store.store.writer_versions()).await,
        }
    }

    /// Whether rows are on several servers, so that not all of a commit is seen at once.
    pub fn is_spread(&self) -> bool {
        match self {
            #[cfg(feature = "test-drivers")]
            Self::Memory(_) => false,
            Self::Sqlite(_) => false,
            Self::Postgres(postgres) => postgres.is_spread(),
            #[cfg(feature = "test-drivers")]
            Self::Faulty(store) => store.store.is_spread(),
        }
    }

    /// In how many places rows of events are, on a server of the database each: whoever writes to one of them waits for no
    /// other. Mostly one.
    pub fn places(&self) -> usize {
        match self {
            #[cfg(feature = "test-drivers")]
            Self::Memory(_) => 1,
            Self::Sqlite(_) => 1,
            Self::Postgres(postgres) => postgres.places(),
            #[cfg(feature = "test-drivers")]
            Self::Faulty(store) => store.store.places(),
        }
    }

    /// In which of these places is what belongs to an event with this tag.
    pub fn place_of(&self, tag: ShardTag) -> usize {
        self.place_in(Order::TABLE, tag)
    }

    fn place_in(&self, table: &str, tag: ShardTag) -> usize {
        match self {
            #[cfg(feature = "test-drivers")]
            Self::Memory(_) => 0,
            Self::Sqlite(_) => 0,
            Self::Postgres(postgres) => postgres.place_of(table, tag),
            #[cfg(feature = "test-drivers")]
            Self::Faulty(store) => store.store.place_in(table, tag),
        }
    }

    /// In which of these places is the row of the writer with this number.
    pub fn place_of_writer(&self, number: u16) -> usize {
        RowKey::shard_tag(&number).map_or(0, |tag| self.place_in(Node::TABLE, tag))
    }

    /// A writer for one lane, in the first place.
    pub fn writer(&self, seed: u64) -> Result<Writer, StoreError> {
        self.writer_at(0, seed)
    }

    /// A writer for one lane, in one of the [`places`](Self::places). Its pauses, and the marks by which it finds a batch
    /// again, come from `seed`, random bits that no other writer has.
    pub fn writer_at(&self, place: usize, seed: u64) -> Result<Writer, StoreError> {
        match self {
            #[cfg(feature = "test-drivers")]
            Self::Memory(memory) => Ok(Writer::Memory(memory.clone())),
            Self::Sqlite(sqlite) => Ok(Writer::Sqlite(Box::new(sqlite.writer()?))),
            Self::Postgres(postgres) => Ok(Writer::Postgres(Box::new(postgres.writer(seed, place)))),
            #[cfg(feature = "test-drivers")]
            Self::Faulty(store) => Ok(Writer::Faulty(Box::new(store.writer_at(place, seed)?))),
        }
    }

    /// Rows by selector, as they are at one moment, without a lock.
    pub fn view<'a>(&'a self, read_set: &'a ReadSet) -> BoxFuture<'a, Result<View, StoreError>> {
        Box::pin(async move {
            match self {
                #[cfg(feature = "test-drivers")]
                Self::Memory(memory) => memory.metered_view(read_set),
                Self::Sqlite(sqlite) => sqlite.view(read_set).await,
                Self::Postgres(postgres) => Box::pin(postgres.view(read_set)).await,
                #[cfg(feature = "test-drivers")]
                Self::Faulty(store) => store.store.view(read_set).await,
            }
        })
    }

    /// The same rows, for whoever reads a list: however few keys name them, there may be much of them, and look-ups do
    /// not wait for it.
    pub fn view_for_list<'a>(&'a self, read_set: &'a ReadSet) -> BoxFuture<'a, Result<View, StoreError>> {
        Box::pin(async move {
            match self {
                #[cfg(feature = "test-drivers")]
                Self::Memory(memory) => memory.metered_view(read_set),
                Self::Sqlite(sqlite) => sqlite.view_for_list(read_set).await,
                Self::Postgres(postgres) => Box::pin(postgres.view_for_list(read_set)).await,
                #[cfg(feature = "test-drivers")]
                Self::Faulty(store) => store.store.view_for_list(read_set).await,
            }
        })
    }

    /// A page of the rows that pass a filter, in its order.
    pub async fn page<F: Filter>(&self, filter: F, slice: PageWindow) -> Result<Page<F::Row>, StoreError> {
        match self {
            #[cfg(feature = "test-drivers")]
            Self::Memory(memory) => memory.metered_page(&filter, slice),
            Self::Sqlite(sqlite) => sqlite.page(filter, slice).await,
            Self::Postgres(postgres) => Box::pin(postgres.page(filter, slice)).await,
            #[cfg(feature = "test-drivers")]
            Self::Faulty(store) => Box::pin(store.store.page(filter, slice)).await,
        }
    }

    /// Rows of a table as they lie there, in an order of the database, from behind a place on or from the first; at
    /// most so many. There are none behind the last.
    pub async fn scan<R: rows::MappedRow>(
        &self,
        after: Option<&RowCursor>,
        limit: usize,
    ) -> Result<Vec<ScannedRow<R>>, StoreError> {
        match self {
            #[cfg(feature = "test-drivers")]
            Self::Memory(memory) => Ok(memory.scan(after, limit)),
            Self::Sqlite(sqlite) => sqlite.scan(after, limit).await,
            Self::Postgres(postgres) => Box::pin(postgres.scan(after, limit)).await,
            #[cfg(feature = "test-drivers")]
            Self::Faulty(store) => Box::pin(store.store.scan(after, limit)).await,
        }
    }

    /// What of an event does not add up, when all its rows are counted again as of one moment: see
    /// [`kassa_domain::audit::EventRecount`].
    pub fn recount_event(&self, event: EventId) -> BoxFuture<'_, Result<Findings, StoreError>> {
        Box::pin(async move {
            match self {
                #[cfg(feature = "test-drivers")]
                Self::Memory(memory) => Ok(memory.recount_event(event)),
                Self::Sqlite(sqlite) => sqlite.recount_event(event).await,
                Self::Postgres(postgres) => Box::pin(postgres.recount_event(event)).await,
                #[cfg(feature = "test-drivers")]
                Self::Faulty(store) => store.store.recount_event(event).await,
            }
        })
    }

    /// Which counters of what a partner stores are wrong, when all is counted again as of one moment: see
    /// [`kassa_domain::quota`].
    pub fn recount_usage(&self, partner: PartnerId) -> BoxFuture<'_, Result<Findings, StoreError>> {
        Box::pin(async move {
            match self {
                #[cfg(feature = "test-drivers")]
                Self::Memory(memory) => Ok(memory.recount_usage(partner)),
                Self::Sqlite(sqlite) => sqlite.recount_usage(partner).await,
                Self::Postgres(postgres) => Box::pin(postgres.recount_usage(partner)).await,
                #[cfg(feature = "test-drivers")]
                Self::Faulty(store) => store.store.recount_usage(partner).await,
            }
        })
    }

    /// What a user has bought: see [`queries::CustomerTotalsQuery`].
    pub fn customer_totals(
        &self,
        query: queries::CustomerTotalsQuery,
    ) -> BoxFuture<'_, Result<queries::CustomerTotals, StoreError>> {
        Box::pin(async move {
            match self {
                #[cfg(feature = "test-drivers")]
                Self::Memory(memory) => Ok(memory.customer_totals(&query)),
                Self::Sqlite(sqlite) => sqlite.customer_totals(query).await,
                Self::Postgres(postgres) => Box::pin(postgres.customer_totals(query)).await,
                #[cfg(feature = "test-drivers")]
                Self::Faulty(store) => store.store.customer_totals(query).await,
            }
        })
    }

    /// What several users have bought; those without any order are missing: see [`queries::CustomerTotalsByUserQuery`].
    pub fn customer_totals_by_user(
        &self,
        query: queries::CustomerTotalsByUserQuery,
    ) -> BoxFuture<'_, Result<BTreeMap<UserId, queries::CustomerTotals>, StoreError>> {
        Box::pin(async move {
            match self {
                #[cfg(feature = "test-drivers")]
                Self::Memory(memory) => Ok(memory.customer_totals_by_user(&query)),
                Self::Sqlite(sqlite) => sqlite.customer_totals_by_user(query).await,
                Self::Postgres(postgres) => Box::pin(postgres.customer_totals_by_user(query)).await,
                #[cfg(feature = "test-drivers")]
                Self::Faulty(store) => store.store.customer_totals_by_user(query).await,
            }
        })
    }

    /// What was sold, as far as it is counted: see [`queries::SalesQuery`].
    pub fn sales(&self, query: queries::SalesQuery) -> BoxFuture<'_, Result<Vec<queries::GroupedSales>, StoreError>> {
        Box::pin(async move {
            match self {
                #[cfg(feature = "test-drivers")]
                Self::Memory(memory) => Ok(memory.sales(&query)),
                Self::Sqlite(sqlite) => sqlite.sales(query).await,
                Self::Postgres(postgres) => Box::pin(postgres.sales(query)).await,
                #[cfg(feature = "test-drivers")]
                Self::Faulty(store) => store.store.sales(query).await,
            }
        })
    }
}

impl Writer {
    /// One batch: loads and locks what `needs` names, lets `decide` work on it, and writes what it
    /// changed, each row guarded by its version. On return the batch is durable; after an error
    /// nothing of it is there.
    pub fn transact<'a>(
        &'a mut self,
        read_set: &'a ReadSet,
        decide: &'a mut DecideFn<'_>,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            match self {
                #[cfg(feature = "test-drivers")]
                Self::Memory(memory) => memory.transact(read_set, decide),
                Self::Sqlite(sqlite) => sqlite.transact(read_set, decide),
                Self::Postgres(postgres) => Box::pin(postgres.transact(read_set, decide)).await,
                #[cfg(feature = "test-drivers")]
                Self::Faulty(store) => store.transact(read_set, decide).await,
            }
        })
    }
}
