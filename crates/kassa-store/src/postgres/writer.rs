//! The connection of one lane: a batch is a fixed number of round trips, whatever its size.

use std::borrow::Cow;
use std::time::Duration;

use kassa_domain::node::Node;
use kassa_domain::{ReadSet, View, every_table};

use super::batch_statements::BatchStatements;
use super::connection::{ConnectTarget, Connection, ConnectionRole, TransactionFrame};
use super::errors::{PgError, TransactionFailure};
use super::load::LoadPlan;
use super::params::Param;
use super::pipeline::Query;
use super::seat_picking;
use super::shards::{Placement, TableNames};
use crate::DecideFn;
use crate::error::StoreError;
use crate::rows::RowKey as _;

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
    /// What the last batch has left in the row of its node: the next one need not ask.
    last_mark: Option<CommitMarker>,
}

/// What shows afterwards whether a batch was committed: a number of its own in the row of its node.
struct CommitMarker {
    node: u16,
    /// Before the batch, as far as this writer knows: if somebody else has written under the number meanwhile, the batch fails.
    old: i64,
    /// Of the batch.
    new: i64,
}

/// What a batch has written.
enum BatchOutcome {
    /// Nothing. It is committed all the same, for it has locked the row of its node: so its callers hear of nothing
    /// that a synchronous standby, or the disk, does not have. Rows of a commit that did not wait for these, or
    /// whose server has died meanwhile, can be seen before.
    Nothing,
    /// Rows, among them that of its node with this mark. They wait for their commit.
    Rows(Option<CommitMarker>),
    /// Rows, whose commit travelled with them and has happened.
    Committed(CommitMarker),
    /// The same, but nobody says whether it has happened: the mark does.
    InDoubt(CommitMarker, PgError),
    /// Rows on other servers, too: it runs once more by the names of all tables. Citus commits in two phases what it has written
    /// itself, and does not see what is written to shards by their own names.
    ElsewhereToo,
}

impl PostgresWriter {
    /// One that connects to where its rows are.
    pub(super) fn new(target: &ConnectTarget, placement: Placement, seed: u64) -> Self {
        let target = placement.target(target);
        Self { target, placement, connection: None, random: SplitMix64(seed), last_mark: None }
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
        let last = self.last_mark.take();
        let mut marks = Marks { last: last.as_ref(), random: &mut self.random };
        let mut result = run_batch(&mut connection, placement.names(), read_set, &mut marks, decide).await;
        if let Ok(BatchOutcome::ElsewhereToo) = result {
            connection.execute("ROLLBACK").await?;
            let names = placement.names().of_tables();
            result = run_batch(&mut connection, names, read_set, &mut marks, decide).await;
        }
        match result {
            Ok(BatchOutcome::Nothing) => match connection.commit().await {
                Ok(()) => self.last_mark = last,
                Err(PgError::Timeout) => return Err(TransactionFailure::Fatal(PgError::Timeout.into())),
                // There is nothing to look for.
                Err(fault) => return Err(fault.into()),
            },
            Ok(BatchOutcome::Rows(mark)) => match connection.commit().await {
                Ok(()) => self.last_mark = mark,
                Err(fault) if fault.proves_rollback() => return Err(fault.into()),
                Err(fault) => return self.resolve_in_doubt_commit(mark, fault).await,
            },
            Ok(BatchOutcome::Committed(mark)) => self.last_mark = Some(mark),
            Ok(BatchOutcome::InDoubt(mark, fault)) => {
                // What it still does, it does without us.
                drop(connection);
                return self.resolve_in_doubt_commit(Some(mark), fault).await;
            }
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
        if let Some(connection) = self.connection.take().filter(|connection| !connection.is_closed()) {
            return Ok(connection);
        }
        // It may lead to another server, which has lost the last commit.
        self.last_mark = None;
        Connection::open(&self.target, ConnectionRole::Writer).await
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
    names.of::<Node>(node.shard_tag(), false).name
}

/// The marks of batches: the last one, and the next.
struct Marks<'a> {
    last: Option<&'a CommitMarker>,
    random: &'a mut SplitMix64,
}

/// A batch, as far as to its commit, and with it if that can travel with what is written.
async fn run_batch(
    connection: &mut Connection,
    names: TableNames<'_>,
    read_set: &ReadSet,
    marks: &mut Marks<'_>,
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
    let known = marks.last.filter(|last| Some(last.node) == node).map(|last| last.new);
    if let (Some(node), None) = (node, known) {
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
    let found = if known.is_some() { None } else { answers.last().and_then(|answer| answer.rows.first()) };
    let old = match (known, node, found) {
        (Some(known), ..) => known,
        (None, Some(_), Some(row)) => row.try_get(0).map_err(PgError::Server)?,
        _ => 0,
    };
    let mut view = match load.into_view(&answers) {
        Err(StoreError::Conflict(_)) => load_again(connection, names, read_set).await?,
        loaded => loaded?,
    };
    drop(answers);
    seat_picking::load_row_inventories_and_tickets(connection, names, read_set, &mut view, true).await?;
    decide(&mut view)?;
    if view.is_clean() {
        return Ok(BatchOutcome::Nothing);
    }
    let mut writes = BatchStatements::new(names);
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
        new: marks.random.next_different_from(old),
    });
    if let Some(mark) = &mark {
        writes.mark_commit(&node_table(names, mark.node), mark.node, mark.new);
    }
    match mark {
        // By the names of tables, Citus would have to look for the shard of what a statement within another writes.
        Some(mark) if !names.are_spread || names.are_of_shards() => commit_with_writes(connection, writes, mark).await,
        mark => {
            let answers = connection.run_pipeline(TransactionFrame::None, &writes.queries).await?;
            writes.check_rows(&answers)?;
            Ok(BatchOutcome::Rows(mark))
        }
    }
}

/// Loads once more what is locked by now: see [`LoadPlan::into_view`].
async fn load_again(
    connection: &mut Connection,
    names: TableNames<'_>,
    read_set: &ReadSet,
) -> Result<View, TransactionFailure> {
    let mut load = LoadPlan::for_read_set(read_set, true, names);
    let queries = std::mem::take(&mut load.queries);
    let answers = connection.run_pipeline(TransactionFrame::None, &queries).await?;
    Ok(load.into_view(&answers)?)
}

/// Sends rows and their commit together: one round trip in place of two. Nobody looks in between whether each row was as it was
/// loaded, so the statements do, and one that fails takes the commit along.
async fn commit_with_writes(
    connection: &mut Connection,
    mut writes: BatchStatements<'_>,
    mark: CommitMarker,
) -> Result<BatchOutcome, TransactionFailure> {
    writes.require_rows();
    let Err(failure) = connection.run_and_commit(&writes.queries).await else {
        return Ok(BatchOutcome::Committed(mark));
    };
    if let Some(statement) = failure.statement.filter(|_| failure.fault.is_unmet_requirement()) {
        return Err(writes.conflict(statement).into());
    }
    if failure.is_rolled_back { Err(failure.fault.into()) } else { Ok(BatchOutcome::InDoubt(mark, failure.fault)) }
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
