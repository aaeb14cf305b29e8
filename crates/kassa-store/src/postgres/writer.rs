//! The connection of one lane: a batch is a fixed number of round trips, whatever its size.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

use kassa_domain::node::Node;
use kassa_domain::view::Table;
use kassa_domain::{ReadSet, ShardTag, View, every_table};

use super::connection::{ConnectTarget, Connection, ConnectionRole, Query, TransactionFrame};
use super::errors::{PgError, TransactionFailure};
use super::load::LoadPlan;
use super::params::Param;
use super::shards::{Placement, TableNames};
use super::{seat_picking, statements};
use crate::DecideFn;
use crate::cell::Cell;
use crate::error::StoreError;
use crate::rows::{ColumnRole, MappedRow, RowKey as _};

/// Rows of a statement that has a parameter for each value.
const VALUES_ROWS_MAX: u64 = 256;
/// Times that a batch runs again because it had to give way, or its connection was lost before the commit.
const TRIES_MAX: u32 = 6;
/// The first pause between two tries; each is twice as long as the one before.
const PAUSE_MS: u64 = 8;
/// How long a transaction may take to be taken back.
const ROLLBACK_TIMEOUT: Duration = Duration::from_secs(1);
/// How long a lost commit is looked for, and the pause between two looks.
const IN_DOUBT_WAIT_MAX: Duration = Duration::from_secs(30);
const IN_DOUBT_POLL_INTERVAL: Duration = Duration::from_millis(200);

/// Writes batches, one after the other.
pub struct PostgresWriter {
    target: ConnectTarget,
    placement: Placement,
    connection: Option<Connection>,
    random: SplitMix64,
}

/// What shows afterwards whether a batch was committed: a number of its own in the row of its node.
struct CommitMarker {
    node: u16,
    /// Before the batch.
    old: i64,
    /// Of the batch.
    new: i64,
}

/// What a batch has written, and not committed yet.
enum BatchOutcome {
    /// Nothing. It is committed all the same, for it has locked the row of its node: so its callers hear of nothing
    /// that a synchronous standby, or the disk, does not have. Rows of a commit that did not wait for these, or
    /// whose server has died meanwhile, can be seen before.
    Nothing,
    /// Rows, among them that of its node with this mark.
    Rows(Option<CommitMarker>),
    /// Rows on other servers, too: it runs once more by the names of all tables. Citus commits in two phases what it has written
    /// itself, and does not see what is written to shards by their own names.
    ElsewhereToo,
}

impl PostgresWriter {
    /// One that connects to where its rows are.
    pub(super) fn new(target: &ConnectTarget, placement: Placement, seed: u64) -> Self {
        let target = placement.target(target);
        Self { target, placement, connection: None, random: SplitMix64(seed) }
    }

    pub(crate) async fn transact(&mut self, read_set: &ReadSet, decide: &mut DecideFn<'_>) -> Result<(), StoreError> {
        let mut read_set = read_set.clone();
        read_set.normalize();
        let mut tries = 0;
        loop {
            match self.attempt(&read_set, &mut *decide).await {
                Ok(()) => return Ok(()),
                Err(TransactionFailure::Retryable(error) | TransactionFailure::ConnectionLost(error))
                    if tries < TRIES_MAX =>
                {
                    tries += 1;
                    tracing::debug!(%error, tries, "a batch runs again");
                    self.back_off(tries).await;
                }
                // Each statement of a batch is served by an index: one that takes so long tells of the database.
                Err(TransactionFailure::Fatal(StoreError::ReadTimeout)) => {
                    return Err(StoreError::Unavailable("a statement took longer than it may".to_owned()));
                }
                Err(trouble) => return Err(trouble.into()),
            }
        }
    }

    /// Waits a while, each time longer, and never as long as another who waits.
    async fn back_off(&mut self, tries: u32) {
        let most = PAUSE_MS << tries.min(8);
        let jitter = self.random.next() % most;
        tokio::time::sleep(Duration::from_millis(most / 2 + jitter)).await;
    }

    async fn attempt(&mut self, read_set: &ReadSet, decide: &mut DecideFn<'_>) -> Result<(), TransactionFailure> {
        let mut connection = self.take_connection().await?;
        let placement = self.placement.clone();
        let mut result = run_batch(&mut connection, placement.names(), read_set, &mut self.random, decide).await;
        if let Ok(BatchOutcome::ElsewhereToo) = result {
            connection.execute("ROLLBACK").await?;
            let names = placement.names().of_tables();
            result = run_batch(&mut connection, names, read_set, &mut self.random, decide).await;
        }
        match result {
            Ok(BatchOutcome::Nothing) => match connection.commit().await {
                Ok(()) => {}
                Err(PgError::Timeout) => return Err(TransactionFailure::Fatal(PgError::Timeout.into())),
                // There is nothing to look for.
                Err(fault) => return Err(fault.into()),
            },
            Ok(BatchOutcome::Rows(mark)) => match connection.commit().await {
                Ok(()) => {}
                Err(fault) if fault.proves_rollback() => return Err(fault.into()),
                Err(fault) => return self.resolve_in_doubt_commit(mark, fault).await,
            },
            // It is not used again, and that ends its transaction.
            Err(TransactionFailure::ConnectionLost(error)) => return Err(TransactionFailure::ConnectionLost(error)),
            // By the names of the tables, nothing is elsewhere.
            Ok(BatchOutcome::ElsewhereToo) => return Err(StoreError::Abandoned.into()),
            Err(trouble @ (TransactionFailure::Retryable(_) | TransactionFailure::Fatal(_))) => {
                // A connection that cannot end its transaction is not used again, and that ends it, too. One that
                // was silent so far need not be waited for as long once more.
                let taken_back = tokio::time::timeout(ROLLBACK_TIMEOUT, connection.execute("ROLLBACK")).await;
                if matches!(taken_back, Ok(Ok(()))) {
                    // Shards that have moved are not there by their names any more.
                    let may_have_moved = matches!(&trouble, TransactionFailure::Fatal(StoreError::Corrupt(_)));
                    let has_moved =
                        may_have_moved && self.placement.is_spread() && self.placement.refresh(&connection).await;
                    self.connection = Some(connection);
                    if has_moved {
                        let moved = StoreError::Unavailable("shards of the database have moved".to_owned());
                        return Err(TransactionFailure::Retryable(moved));
                    }
                }
                return Err(trouble);
            }
        }
        self.connection = Some(connection);
        Ok(())
    }

    /// The connection, until it is given back: whoever is interrupted leaves none in the middle of a batch.
    async fn take_connection(&mut self) -> Result<Connection, StoreError> {
        match self.connection.take().filter(|connection| !connection.is_closed()) {
            Some(connection) => Ok(connection),
            None => Connection::open(&self.target, ConnectionRole::Writer).await,
        }
    }

    /// The answer to the commit was lost, or does not say what came of it: the mark does. The old connection may still
    /// be at work, and holds a lock on the row of the node as long.
    async fn resolve_in_doubt_commit(
        &mut self,
        mark: Option<CommitMarker>,
        fault: PgError,
    ) -> Result<(), TransactionFailure> {
        let unknown = "the connection was lost, and nothing shows whether the batch was committed";
        let Some(mark) = mark else { return Err(StoreError::Unavailable(unknown.to_owned()).into()) };
        let trouble = TransactionFailure::from(fault);
        tracing::warn!(?trouble, "nobody says whether a commit has happened: it is looked for");
        match tokio::time::timeout(IN_DOUBT_WAIT_MAX, self.poll_commit_marker(mark.node)).await {
            Ok(found) if found == mark.new => Ok(()),
            // Nothing of it is there, for the reason that was given.
            Ok(found) if found == mark.old => Err(trouble),
            // Somebody else has written under our number, or the database stays away.
            Ok(_) | Err(_) => Err(StoreError::Unavailable(unknown.to_owned()).into()),
        }
    }

    async fn poll_commit_marker(&mut self, node: u16) -> i64 {
        loop {
            match self.read_commit_marker(node).await {
                Ok(found) => return found,
                Err(error) => tracing::debug!(%error, "the commit cannot be looked for yet"),
            }
            tokio::time::sleep(IN_DOUBT_POLL_INTERVAL).await;
        }
    }

    /// What is found is also written again and committed: when that returns, all that was committed before is as
    /// durable as any batch, also on a synchronous standby that the lost commit had not reached yet.
    async fn read_commit_marker(&mut self, node: u16) -> Result<i64, StoreError> {
        let mut connection = self.take_connection().await?;
        // By the name of the table: what was a shard here may have been left behind.
        let table = node_table(self.placement.names().of_tables(), node);
        let params = || vec![Param::one(i64::from(node))];
        let queries = [
            // The first batch of a node makes its row: this waits until it is there, or will not be.
            Query {
                text: format!(
                    "INSERT INTO {table} (number, last_id, next_order_number, order_numbers_end, commit_marker, version) \
                     VALUES ($1, 0, 0, 0, 0, 1) ON CONFLICT (number) DO NOTHING"
                ),
                params: params(),
            },
            Query { text: format!("SELECT commit_marker FROM {table} WHERE number = $1 FOR UPDATE"), params: params() },
            Query {
                text: format!("UPDATE {table} SET commit_marker = commit_marker WHERE number = $1"),
                params: params(),
            },
        ];
        let answers = connection.run_pipeline(TransactionFrame::Begin, &queries).await?;
        let row = answers.iter().find_map(|answer| answer.rows.first());
        let found = row.map_or(Ok(0), |row| row.try_get(0))?;
        connection.commit().await?;
        self.connection = Some(connection);
        Ok(found)
    }
}

/// How statements call the table that has the row of a node.
fn node_table(names: TableNames<'_>, node: u16) -> Cow<'static, str> {
    names.of::<Node>(node.shard_tag(), false)
}

/// A batch up to its commit.
async fn run_batch(
    connection: &mut Connection,
    names: TableNames<'_>,
    read_set: &ReadSet,
    bits: &mut SplitMix64,
    decide: &mut DecideFn<'_>,
) -> Result<BatchOutcome, TransactionFailure> {
    let mut load = LoadPlan::for_read_set(read_set, true, names);
    let names = if load.elsewhere.are_locked && names.are_of_shards() {
        load = LoadPlan::for_read_set(read_set, true, names.of_tables());
        names.of_tables()
    } else {
        names
    };
    let node = match read_set.nodes.as_slice() {
        [node] => Some(*node),
        _ => None,
    };
    if let Some(node) = node {
        let text = format!("SELECT commit_marker FROM {} WHERE number = $1", node_table(names, node));
        load.queries.push(Query { text, params: vec![Param::one(i64::from(node))] });
    }
    let shards = names.shards_of(&load.shards);
    let mut queries = shards.queries();
    let before = queries.len();
    queries.append(&mut load.queries);
    let has_only_shards = names.are_of_shards() && !load.elsewhere.are_read;
    let frame = if has_only_shards { TransactionFrame::BeginOnShards } else { TransactionFrame::Begin };
    let mut answers = connection.run_pipeline(frame, &queries).await?;
    shards.check_are_here(answers.drain(..before))?;
    let names = names.limited_to(&shards);
    let old = match (node, answers.last().and_then(|answer| answer.rows.first())) {
        (Some(_), Some(row)) => row.try_get(0).map_err(PgError::Server)?,
        _ => 0,
    };
    let mut view = View::default();
    load.load_into(&mut view, &answers)?;
    drop(answers);
    seat_picking::load_row_inventories_and_tickets(connection, names, read_set, &mut view, true).await?;
    decide(&mut view)?;
    if view.is_clean() {
        return Ok(BatchOutcome::Nothing);
    }
    let mut writes = BatchStatements { names, writes_elsewhere: false, queries: Vec::new(), expected: Vec::new() };
    macro_rules! write {
        ($($field:ident: $row:ty,)*) => {
            $(writes.table(&view.$field);)*
        };
    }
    every_table!(write);
    if writes.writes_elsewhere && names.are_of_shards() {
        return Ok(BatchOutcome::ElsewhereToo);
    }
    let mark = node.filter(|node| view.nodes.get(*node).is_some()).map(|node| CommitMarker {
        node,
        old,
        new: bits.next_different_from(old),
    });
    if let Some(mark) = &mark {
        let params = vec![Param::one(i64::from(mark.node)), Param::one(mark.new)];
        let text = format!("UPDATE {} SET commit_marker = $2 WHERE number = $1", node_table(names, mark.node));
        writes.push(text, params, 1, Node::TABLE);
    }
    let answers = connection.run_pipeline(TransactionFrame::None, &writes.queries).await?;
    for (answer, (expected, table)) in answers.iter().zip(&writes.expected) {
        if answer.affected != *expected {
            return Err(StoreError::Conflict((*table).to_owned()).into());
        }
    }
    Ok(BatchOutcome::Rows(mark))
}

/// Random bits after a seed: the sequence `SplitMix64`.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn next_different_from(&mut self, old: i64) -> i64 {
        let random = self.next().cast_signed();
        if random == old { random.wrapping_add(1) } else { random }
    }
}

/// The statements that write a batch, and how many rows each must meet.
struct BatchStatements<'a> {
    names: TableNames<'a>,
    /// Whether there are rows that are not on the server.
    writes_elsewhere: bool,
    queries: Vec<Query<'a>>,
    expected: Vec<(u64, &'static str)>,
}

/// Rows of one statement: an array for each column.
#[derive(Default)]
pub(super) struct RowArrays<'a> {
    pub(super) arrays: Vec<Vec<Cell<'a>>>,
    count: u64,
    is_one_by_one: bool,
}

impl<'a> RowArrays<'a> {
    pub(super) fn add(&mut self, cells: impl Iterator<Item = Cell<'a>>) {
        for (at, cell) in cells.enumerate() {
            if self.arrays.len() <= at {
                self.arrays.push(Vec::new());
            }
            self.arrays[at].push(cell);
        }
        self.count += 1;
    }

    /// The same with a parameter for each value, row by row, in parts: a statement has so many parameters at most, and statements
    /// of few lengths are kept prepared.
    fn one_by_one(self) -> Vec<Self> {
        let (mut parts, mut left) = (Vec::new(), self.count);
        let mut columns: Vec<_> = self.arrays.into_iter().map(Vec::into_iter).collect();
        while left > 0 {
            let count = VALUES_ROWS_MAX.min(1 << left.ilog2());
            let rows = usize::try_from(count).unwrap_or(0);
            let arrays = columns.iter_mut().map(|column| column.by_ref().take(rows).collect()).collect();
            parts.push(Self { arrays, count, is_one_by_one: true });
            left -= count;
        }
        parts
    }

    fn into_params(self) -> Vec<Param<'a>> {
        if !self.is_one_by_one {
            return self.arrays.into_iter().map(Param::Many).collect();
        }
        let mut columns: Vec<_> = self.arrays.into_iter().map(Vec::into_iter).collect();
        let rows = (0..self.count).flat_map(|_| columns.iter_mut().filter_map(Iterator::next).collect::<Vec<_>>());
        rows.map(Param::One).collect()
    }
}

/// What is written to rows of one shard tag.
#[derive(Default)]
struct TagGroup<'a> {
    deleted: RowArrays<'a>,
    making_room: RowArrays<'a>,
    updated: RowArrays<'a>,
    inserted: RowArrays<'a>,
}

impl<'a> BatchStatements<'a> {
    fn push(&mut self, text: String, params: Vec<Param<'a>>, expected: u64, table: &'static str) {
        self.queries.push(Query { text, params });
        self.expected.push((expected, table));
    }

    /// What goes, goes first, then what makes room, and new rows come last: a unique value may change hands within a
    /// batch.
    fn table<R: MappedRow>(&mut self, table: &'a Table<R>) {
        let groups = group_by_shard(table);
        let (mut changed, mut new) = (Vec::new(), Vec::new());
        for (its, group) in groups {
            self.add::<R>(its, group.deleted, |name, _| statements::delete::<R>(name), true);
            changed.extend([(its, group.making_room), (its, group.updated)]);
            new.push((its, group.inserted));
        }
        for (its, rows) in changed {
            self.add::<R>(its, rows, |name, _| statements::update::<R>(name), true);
        }
        for (its, rows) in new {
            if self.names.are_spread && self.names.of::<R>(its, false) == R::TABLE {
                for part in rows.one_by_one() {
                    self.add::<R>(its, part, statements::insert_values::<R>, R::is_tagged());
                }
            } else {
                self.add::<R>(its, rows, |name, _| statements::insert::<R>(name), R::is_tagged());
            }
        }
    }

    /// Rows of one tag, with the statement that writes so many of them.
    fn add<R: MappedRow>(
        &mut self,
        its: Option<ShardTag>,
        rows: RowArrays<'a>,
        text: impl FnOnce(&str, u64) -> String,
        names_shard: bool,
    ) {
        if rows.count == 0 {
            return;
        }
        let name = self.names.of::<R>(its, false);
        self.writes_elsewhere |= name == R::TABLE;
        let tag = its.filter(|_| names_shard).map(|tag| Param::one(tag.to_i64()));
        let count = rows.count;
        self.push(text(&name, count), tag.into_iter().chain(rows.into_params()).collect(), count, R::TABLE);
    }
}

fn group_by_shard<R: MappedRow>(table: &Table<R>) -> BTreeMap<Option<ShardTag>, TagGroup<'_>> {
    let mut groups: BTreeMap<Option<ShardTag>, TagGroup<'_>> = BTreeMap::new();
    for change in table.changes() {
        let its = change.key.shard_tag().filter(|_| R::shard_column().is_some());
        let group = groups.entry(its).or_default();
        let mut key = Vec::with_capacity(3);
        change.key.write(&mut key);
        key.push(change.version.into());
        let key = key.into_iter().map(Cell::into_owned);
        let Some(row) = change.row else {
            group.deleted.add(key);
            continue;
        };
        let mut cells = Vec::with_capacity(R::COLUMNS.len());
        row.write(&mut cells);
        let cells = cells.into_iter().zip(R::COLUMNS);
        if change.version == 0 {
            group.inserted.add(cells.filter(|(_, column)| column.role != ColumnRole::Tag).map(|(cell, _)| cell));
        } else {
            let free = cells.filter(|(_, column)| column.role.is_mutable()).map(|(cell, _)| cell);
            let rows = if row.makes_room() { &mut group.making_room } else { &mut group.updated };
            rows.add(key.chain(free));
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_written_one_by_one_in_parts_of_few_lengths() {
        let mut rows = RowArrays::default();
        for row in 0..600_i64 {
            rows.add([Cell::from(row), Cell::from(-row)].into_iter());
        }
        let parts = rows.one_by_one();
        assert_eq!(parts.iter().map(|part| part.count).collect::<Vec<_>>(), [256, 256, 64, 16, 8]);
        let params: Vec<i64> = parts
            .into_iter()
            .flat_map(RowArrays::into_params)
            .map(|param| if let Param::One(Cell::Int(value)) = param { value } else { panic!("it is no number") })
            .collect();
        assert_eq!(params, (0..600).flat_map(|row| [row, -row]).collect::<Vec<_>>());
    }
}
