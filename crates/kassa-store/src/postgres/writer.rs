//! The connection of one lane: a batch is a fixed number of round trips, whatever its size.

use std::collections::BTreeMap;
use std::time::Duration;

use kassa_domain::view::Table;
use kassa_domain::{Needs, Tag, View, every_table};

use super::cells::Param;
use super::connection::{Ask, Connection, Frame, Role, Target};
use super::errors::{Fault, Trouble};
use super::load::Load;
use super::{hall, statements};
use crate::Decide;
use crate::cell::Cell;
use crate::error::StoreError;
use crate::rows::{Key as _, Mapped, Part};

/// Times that a batch runs again because it had to give way, or its connection was lost before the commit.
const TRIES_MAX: u32 = 6;
/// The first pause between two tries; each is twice as long as the one before.
const PAUSE_MS: u64 = 8;
/// How long a transaction may take to be taken back.
const ROLLBACK_MAX: Duration = Duration::from_secs(1);
/// How long a lost commit is looked for, and the pause between two looks.
const LOOK_MAX: Duration = Duration::from_secs(30);
const LOOK_PAUSE: Duration = Duration::from_millis(200);

/// Writes batches, one after the other.
pub struct PostgresWriter {
    target: Target,
    connection: Option<Connection>,
    bits: Bits,
}

/// What tells afterwards whether a batch was committed: a number of its own in the row of its node.
struct Mark {
    node: u16,
    /// Before the batch.
    old: i64,
    /// Of the batch.
    new: i64,
}

/// What a batch has written, and not committed yet.
enum Written {
    /// Nothing. It is committed all the same, for it has locked the row of its node: so its callers hear of nothing
    /// that a synchronous standby, or the disk, does not have. Rows of a commit that did not wait for these, or
    /// whose server has died meanwhile, can be seen before.
    Nothing,
    /// Rows, among them that of its node with this mark.
    Rows(Option<Mark>),
}

impl PostgresWriter {
    pub(super) fn new(target: Target, seed: u64) -> Self {
        Self { target, connection: None, bits: Bits(seed) }
    }

    pub(crate) async fn transact(&mut self, needs: &Needs, decide: &mut Decide<'_>) -> Result<(), StoreError> {
        let mut needs = needs.clone();
        needs.normalize();
        let mut tries = 0;
        loop {
            match self.attempt(&needs, &mut *decide).await {
                Ok(()) => return Ok(()),
                Err(Trouble::Again(error) | Trouble::Lost(error)) if tries < TRIES_MAX => {
                    tries += 1;
                    tracing::debug!(%error, tries, "a batch runs again");
                    self.pause(tries).await;
                }
                Err(trouble) => return Err(trouble.into()),
            }
        }
    }

    /// Waits a while, each time longer, and never as long as another who waits.
    async fn pause(&mut self, tries: u32) {
        let most = PAUSE_MS << tries.min(8);
        let jitter = self.bits.next() % most;
        tokio::time::sleep(Duration::from_millis(most / 2 + jitter)).await;
    }

    async fn attempt(&mut self, needs: &Needs, decide: &mut Decide<'_>) -> Result<(), Trouble> {
        let mut connection = self.connected().await?;
        let result = inside(&mut connection, needs, &mut self.bits, decide).await;
        match result {
            Ok(Written::Nothing) => match connection.commit().await {
                Ok(()) => {}
                Err(Fault::Silence) => return Err(Trouble::Final(Fault::Silence.into())),
                // There is nothing to look for.
                Err(fault) => return Err(fault.into()),
            },
            Ok(Written::Rows(mark)) => match connection.commit().await {
                Ok(()) => {}
                Err(fault) if fault.proves_rollback() => return Err(fault.into()),
                Err(fault) => return self.look_for(mark, fault).await,
            },
            // It is not used again, and that ends its transaction.
            Err(Trouble::Lost(error)) => return Err(Trouble::Lost(error)),
            Err(trouble @ (Trouble::Again(_) | Trouble::Final(_))) => {
                // A connection that cannot end its transaction is not used again, and that ends it, too. One that
                // was silent so far need not be waited for as long once more.
                let taken_back = tokio::time::timeout(ROLLBACK_MAX, connection.execute("ROLLBACK")).await;
                if matches!(taken_back, Ok(Ok(()))) {
                    self.connection = Some(connection);
                }
                return Err(trouble);
            }
        }
        self.connection = Some(connection);
        Ok(())
    }

    /// The connection, until it is given back: whoever is interrupted leaves none in the middle of a batch.
    async fn connected(&mut self) -> Result<Connection, StoreError> {
        match self.connection.take().filter(|connection| !connection.is_closed()) {
            Some(connection) => Ok(connection),
            None => Connection::open(&self.target, Role::Writer).await,
        }
    }

    /// The answer to the commit was lost, or does not say what came of it: the mark does. The old connection may still
    /// be at work, and holds a lock on the row of the node as long.
    async fn look_for(&mut self, mark: Option<Mark>, fault: Fault) -> Result<(), Trouble> {
        let unknown = "the connection was lost, and nothing tells whether the batch was committed";
        let Some(mark) = mark else { return Err(StoreError::Unavailable(unknown.to_owned()).into()) };
        let trouble = Trouble::from(fault);
        tracing::warn!(?trouble, "nobody says whether a commit has happened: it is looked for");
        match tokio::time::timeout(LOOK_MAX, self.look_until_found(mark.node)).await {
            Ok(found) if found == mark.new => Ok(()),
            // Nothing of it is there, for the reason that was told.
            Ok(found) if found == mark.old => Err(trouble),
            // Somebody else has written under our number, or the database stays away.
            Ok(_) | Err(_) => Err(StoreError::Unavailable(unknown.to_owned()).into()),
        }
    }

    async fn look_until_found(&mut self, node: u16) -> i64 {
        loop {
            match self.look_at(node).await {
                Ok(found) => return found,
                Err(error) => tracing::debug!(%error, "the commit cannot be looked for yet"),
            }
            tokio::time::sleep(LOOK_PAUSE).await;
        }
    }

    /// What is found is also written again and committed: when that returns, all that was committed before is as
    /// durable as any batch, also on a synchronous standby that the lost commit had not reached yet.
    async fn look_at(&mut self, node: u16) -> Result<i64, StoreError> {
        let mut connection = self.connected().await?;
        let params = || vec![Param::one(i64::from(node))];
        let asks = [
            // The first batch of a node makes its row: this waits until it is there, or will not be.
            Ask {
                text: "INSERT INTO nodes (node, id_mark, number_next, number_end, mark, version) \
                    VALUES ($1, 0, 0, 0, 0, 1) ON CONFLICT (node) DO NOTHING"
                    .to_owned(),
                params: params(),
            },
            Ask { text: "SELECT mark FROM nodes WHERE node = $1 FOR UPDATE".to_owned(), params: params() },
            Ask { text: "UPDATE nodes SET mark = mark WHERE node = $1".to_owned(), params: params() },
        ];
        let answers = connection.run(Frame::Begin, &asks).await?;
        let row = answers.iter().find_map(|answer| answer.rows.first());
        let found = row.map_or(Ok(0), |row| row.try_get(0))?;
        connection.commit().await?;
        self.connection = Some(connection);
        Ok(found)
    }
}

/// A batch up to its commit.
async fn inside(
    connection: &mut Connection,
    needs: &Needs,
    bits: &mut Bits,
    decide: &mut Decide<'_>,
) -> Result<Written, Trouble> {
    let mut load = Load::of(needs, true);
    let node = match needs.nodes.as_slice() {
        [node] => Some(*node),
        _ => None,
    };
    if let Some(node) = node {
        let text = "SELECT mark FROM nodes WHERE node = $1".to_owned();
        load.asks.push(Ask { text, params: vec![Param::one(i64::from(node))] });
    }
    let answers = connection.run(Frame::Begin, &load.asks).await?;
    let old = match (node, answers.last().and_then(|answer| answer.rows.first())) {
        (Some(_), Some(row)) => row.try_get(0).map_err(Fault::Told)?,
        _ => 0,
    };
    let mut view = View::default();
    load.put_into(&mut view, &answers)?;
    drop(answers);
    hall::complete(connection, needs, &mut view, true).await?;
    decide(&mut view)?;
    if view.is_clean() {
        return Ok(Written::Nothing);
    }
    let mut writes = Writes::default();
    macro_rules! write {
        ($($field:ident: $row:ty,)*) => {
            $(writes.table(&view.$field);)*
        };
    }
    every_table!(write);
    let mark =
        node.filter(|node| view.nodes.get(*node).is_some()).map(|node| Mark { node, old, new: bits.other_than(old) });
    if let Some(mark) = &mark {
        let params = vec![Param::one(i64::from(mark.node)), Param::one(mark.new)];
        writes.push("UPDATE nodes SET mark = $2 WHERE node = $1".to_owned(), params, 1, "nodes");
    }
    let answers = connection.run(Frame::Bare, &writes.asks).await?;
    for (answer, (expected, table)) in answers.iter().zip(&writes.expected) {
        if answer.affected != *expected {
            return Err(StoreError::Conflict((*table).to_owned()).into());
        }
    }
    Ok(Written::Rows(mark))
}

/// Random bits after a seed: the sequence `SplitMix64`.
struct Bits(u64);

impl Bits {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn other_than(&mut self, old: i64) -> i64 {
        let random = self.next().cast_signed();
        if random == old { random.wrapping_add(1) } else { random }
    }
}

/// The statements that write a batch, and how many rows each must meet.
#[derive(Default)]
struct Writes<'a> {
    asks: Vec<Ask<'a>>,
    expected: Vec<(u64, &'static str)>,
}

/// Rows of one statement: an array for each column.
#[derive(Default)]
pub(super) struct Rows<'a> {
    pub(super) arrays: Vec<Vec<Cell<'a>>>,
    count: u64,
}

impl<'a> Rows<'a> {
    pub(super) fn add(&mut self, cells: impl Iterator<Item = Cell<'a>>) {
        for (at, cell) in cells.enumerate() {
            if self.arrays.len() <= at {
                self.arrays.push(Vec::new());
            }
            self.arrays[at].push(cell);
        }
        self.count += 1;
    }
}

/// What is written to rows of one tag.
#[derive(Default)]
struct Group<'a> {
    gone: Rows<'a>,
    changed: Rows<'a>,
    new: Rows<'a>,
}

impl<'a> Writes<'a> {
    fn push(&mut self, text: String, params: Vec<Param<'a>>, expected: u64, table: &'static str) {
        self.asks.push(Ask { text, params });
        self.expected.push((expected, table));
    }

    /// What goes, goes first, and new rows come last: a unique value may change hands within a batch.
    fn table<R: Mapped>(&mut self, table: &'a Table<R>) {
        let groups = grouped(table);
        let mut add = |its: Option<Tag>, rows: Rows<'a>, text: fn() -> String| {
            if rows.count > 0 {
                let tag = its.map(|tag| Param::one(tag.to_i64()));
                let params = tag.into_iter().chain(rows.arrays.into_iter().map(Param::Many)).collect();
                self.push(text(), params, rows.count, R::TABLE);
            }
        };
        let (mut changed, mut new) = (Vec::new(), Vec::new());
        for (its, group) in groups {
            add(its, group.gone, statements::delete::<R>);
            changed.push((its, group.changed));
            new.push((its, group.new));
        }
        for (its, rows) in changed {
            add(its, rows, statements::update::<R>);
        }
        for (its, rows) in new {
            add(its, rows, statements::insert::<R>);
        }
    }
}

fn grouped<R: Mapped>(table: &Table<R>) -> BTreeMap<Option<Tag>, Group<'_>> {
    let mut groups: BTreeMap<Option<Tag>, Group<'_>> = BTreeMap::new();
    for change in table.changes() {
        let its = change.key.shard().filter(|_| statements::is_tagged::<R>());
        let group = groups.entry(its).or_default();
        let mut key = Vec::with_capacity(3);
        change.key.write(&mut key);
        key.push(change.version.into());
        let key = key.into_iter().map(Cell::into_owned);
        let Some(row) = change.row else {
            group.gone.add(key);
            continue;
        };
        let mut cells = Vec::with_capacity(R::COLUMNS.len());
        row.write(&mut cells);
        let cells = cells.into_iter().zip(R::COLUMNS);
        if change.version == 0 {
            group.new.add(cells.filter(|(_, column)| column.part != Part::Tag).map(|(cell, _)| cell));
        } else {
            let free = cells.filter(|(_, column)| column.part == Part::Free).map(|(cell, _)| cell);
            group.changed.add(key.chain(free));
        }
    }
    groups
}
