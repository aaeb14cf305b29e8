//! A database that Citus spreads over several servers: which server has which rows.
//!
//! What belongs to an event is on one server, with the row of the lane that sells it and the log of what that changes.
//! So a lane speaks to that server, and calls the shards there by their own names: its batches are transactions of one
//! PostgreSQL, planned and committed as anywhere. Whatever else it needs, it calls by the names of the tables, and Citus
//! finds it. Readers do the same.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use kassa_domain::ShardTag;
use parking_lot::RwLock;
use tokio_postgres::Row;

use super::connection::{ConnectTarget, Connection};
use super::errors::{PgError, TransactionFailure};
use super::params::Param;
use super::pipeline::{Query, QueryResult};
use crate::error::StoreError;
use crate::lists::Statement;
use crate::rows::MappedRow;

/// The table whose shards say which servers there are.
const TABLE_OF_EVENTS: &str = "orders";

/// The shards of all tables, with the servers that have them: hashed ones in the order of their hashes.
const SHARDS: &str = "SELECT c.relname::text, t.colocationid::bigint, s.shardid, s.shardmaxvalue::bigint, \
        n.nodename::text, n.nodeport::bigint \
    FROM pg_dist_shard AS s JOIN pg_dist_placement AS p USING (shardid) JOIN pg_dist_node AS n USING (groupid) \
    JOIN pg_catalog.pg_class AS c ON c.oid = s.logicalrelid \
    JOIN pg_dist_partition AS t ON t.logicalrelid = s.logicalrelid \
    WHERE n.noderole = 'primary' AND pg_catalog.pg_table_is_visible(c.oid) \
        AND (t.partmethod = 'h' OR t.partmethod = 'n' AND t.repmodel = 't') \
    ORDER BY s.shardmaxvalue::bigint, s.shardid";

/// Locks shards against being moved, as Citus does for its own statements, and counts those that are on this server.
const KEEP_SHARDS: &str = "SELECT lock_shard_metadata(5, $1)";
const SHARDS_HERE: &str = "SELECT count(*) FROM pg_dist_placement AS p JOIN pg_dist_local_group AS g USING (groupid) \
    WHERE p.shardid = ANY($1)";

/// Whether a database can be spread.
pub(super) async fn has_citus(connection: &Connection) -> Result<bool, StoreError> {
    let extension = "SELECT 1 FROM pg_catalog.pg_extension WHERE extname = 'citus'";
    Ok(connection.query_row(extension, &[]).await?.is_some())
}

/// A server that has rows of events.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ShardServer {
    pub(super) host: String,
    pub(super) port: u16,
}

/// The rows of a table whose tags have hashes in a range.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Shard {
    id: i64,
    last_hash: i32,
    /// Its place among the servers.
    server: usize,
}

/// Where the rows of a database are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Shards {
    /// By their places: in the order of their names, and those that came later behind.
    servers: Vec<ShardServer>,
    /// Of each table that is spread, its shards by their hashes, and the group of tables whose shards move together.
    spread: HashMap<String, (i64, Vec<Shard>)>,
    /// Of each table that every server has all of, its shard.
    copied: HashMap<String, i64>,
}

impl Shards {
    /// Reads where the rows are; `None` where the database is not spread, or has no tables of ours yet. Servers that were known
    /// keep their places, as lanes are at them.
    pub(super) async fn read(connection: &Connection, known: &[ShardServer]) -> Result<Option<Self>, StoreError> {
        if !has_citus(connection).await? {
            return Ok(None);
        }
        let mut placed = Vec::new();
        let statement = Statement { text: SHARDS.to_owned(), args: Vec::new() };
        connection
            .for_each_row(&statement, |row| {
                placed.push(PlacedShard::read(row)?);
                Ok(())
            })
            .await?;
        Ok(Self::new(placed, known))
    }

    fn new(placed: Vec<PlacedShard>, known: &[ShardServer]) -> Option<Self> {
        let of_events = placed.iter().filter(|shard| shard.table == TABLE_OF_EVENTS).map(|shard| &shard.server);
        let others: BTreeSet<&ShardServer> = of_events.filter(|server| !known.contains(server)).collect();
        let servers = known.iter().chain(others).cloned().collect();
        let mut shards = Self { servers, ..Self::default() };
        for PlacedShard { table, group, id, last_hash, server } in placed {
            let server = shards.servers.iter().position(|known| *known == server);
            match (last_hash, server) {
                (Some(last_hash), server) => {
                    // A server without events has no lane: nobody calls its shards by their names.
                    let server = server.unwrap_or(usize::MAX);
                    let (_, its) = shards.spread.entry(table).or_insert_with(|| (group, Vec::new()));
                    its.push(Shard { id, last_hash, server });
                }
                (None, _) => drop(shards.copied.insert(table, id)),
            }
        }
        (!shards.servers.is_empty()).then_some(shards)
    }

    /// The servers that have rows of events.
    pub(super) fn servers(&self) -> &[ShardServer] {
        &self.servers
    }

    /// The server of the row of a table that has this tag, by its place among all.
    pub(super) fn server_of(&self, table: &str, tag: ShardTag) -> usize {
        self.shard_of(table, tag).map_or(0, |(_, shard)| shard.server.min(self.servers.len() - 1))
    }

    /// The shard of rows of a table, and its group.
    fn shard_of(&self, table: &str, tag: ShardTag) -> Option<(i64, &Shard)> {
        let (group, shards) = self.spread.get(table)?;
        let hash = citus_hash(tag.to_i64());
        Some((*group, shards.get(shards.partition_point(|shard| shard.last_hash < hash))?))
    }

    /// The shard of a group by which others of the same range are kept where they are: that which was made first.
    fn leading(&self, group: i64, last_hash: i32) -> Option<i64> {
        let of_group = self.spread.values().filter(|(its, _)| *its == group);
        of_group.flat_map(|(_, shards)| shards).filter(|shard| shard.last_hash == last_hash).map(|shard| shard.id).min()
    }
}

/// A shard, as Citus knows it.
struct PlacedShard {
    table: String,
    group: i64,
    id: i64,
    last_hash: Option<i32>,
    server: ShardServer,
}

impl PlacedShard {
    fn read(row: &Row) -> Result<Self, StoreError> {
        let unreadable = |what: &str| StoreError::Corrupt(format!("a shard of Citus: {what}"));
        let last_hash = row.try_get::<_, Option<i64>>(3)?.map(i32::try_from).transpose();
        let port = u16::try_from(row.try_get::<_, i64>(5)?).map_err(|_| unreadable("its port"))?;
        Ok(Self {
            table: row.try_get(0)?,
            group: row.try_get(1)?,
            id: row.try_get(2)?,
            last_hash: last_hash.map_err(|_| unreadable("its range"))?,
            server: ShardServer { host: row.try_get(4)?, port },
        })
    }
}

/// A table, as a statement calls it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TableRef {
    pub(super) name: Cow<'static, str>,
    /// Whether a statement may be about rows of several tags: the server has them itself. Otherwise Citus looks for them, and
    /// the statement says in one value where.
    pub(super) spans_tags: bool,
}

/// Rows that one statement is about. Statements come in the order of their places: a database that is spread locks event by event, whatever names tables go by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    /// The tag of the rows, where all have the same.
    pub(super) tag: Option<ShardTag>,
    pub(super) table: TableRef,
}

impl Place {
    /// The tag that the statement says once.
    pub(super) fn named_tag(&self) -> Option<ShardTag> {
        self.tag.filter(|_| !self.table.spans_tags)
    }
}

/// How the statements of a transaction call the tables.
#[derive(Clone, Copy, Default)]
pub(super) struct TableNames<'a> {
    /// The server that they are sent to, where it has shards.
    server: Option<(&'a Shards, usize)>,
    /// Those of its shards that nobody moves meanwhile, once that is known.
    only: Option<&'a ShardsInUse>,
    /// Whether rows are on several servers.
    pub(super) are_spread: bool,
}

impl<'a> TableNames<'a> {
    /// Whether some tables have other names than their own.
    pub(super) fn are_of_shards(self) -> bool {
        self.server.is_some()
    }

    /// The same, but all tables go by their own names.
    pub(super) fn of_tables(self) -> Self {
        Self { server: None, ..self }
    }

    /// Those of a spread database, whatever its servers have.
    #[cfg(test)]
    pub(super) fn of_spread_tables() -> Self {
        Self { are_spread: true, ..Self::default() }
    }

    /// The same, but shards that are not in use go by the names of their tables.
    pub(super) fn limited_to(self, only: &'a ShardsInUse) -> Self {
        Self { only: Some(only), ..self }
    }

    /// The table for rows of a shard, or for those that the statement only reads.
    pub(super) fn of<R: MappedRow>(self, tag: Option<ShardTag>, only_reads: bool) -> TableRef {
        let name = match tag.filter(|_| R::shard_column().is_some()) {
            Some(tag) => self.of_shard(R::TABLE, tag),
            None if only_reads => self.of_copy(R::TABLE),
            None => Cow::Borrowed(R::TABLE),
        };
        let spans_tags = !self.are_spread || name != R::TABLE;
        TableRef { name, spans_tags }
    }

    /// The place of rows of a table with this tag.
    pub(super) fn place(self, table: TableRef, tag: Option<ShardTag>) -> Place {
        Place { tag: tag.filter(|_| self.are_spread || !table.spans_tags), table }
    }

    /// The name for rows of this shard, in a table that has shards.
    fn of_shard(self, table: &'static str, tag: ShardTag) -> Cow<'static, str> {
        let shard = self.local_shard(table, tag);
        let shard = shard.filter(|(leading, _)| self.only.is_none_or(|only| only.0.contains(leading)));
        shard.map_or(Cow::Borrowed(table), |(_, id)| Cow::Owned(format!("{table}_{id}")))
    }

    /// The name for reading without a lock, in a table that every server has.
    pub(super) fn of_copy(self, table: &'static str) -> Cow<'static, str> {
        let id = self.server.and_then(|(shards, _)| shards.copied.get(table));
        id.map_or(Cow::Borrowed(table), |id| Cow::Owned(format!("{table}_{id}")))
    }

    /// The shard of rows of a table, if it is on the server, behind that by which it is kept there.
    fn local_shard(self, table: &str, tag: ShardTag) -> Option<(i64, i64)> {
        let (shards, server) = self.server?;
        let (group, shard) = shards.shard_of(table, tag).filter(|(_, shard)| shard.server == server)?;
        Some((shards.leading(group, shard.last_hash)?, shard.id))
    }

    /// The shards that are called by their own names for these tags of tables.
    pub(super) fn shards_of(self, named: &BTreeSet<(&'static str, ShardTag)>) -> ShardsInUse {
        ShardsInUse(named.iter().filter_map(|(table, tag)| Some(self.local_shard(table, *tag)?.0)).collect())
    }
}

/// Where a database has its rows, for all who write: whoever notices that a shard has moved reads it anew.
pub(super) type SharedShards = Arc<RwLock<Option<Arc<Shards>>>>;

/// Where one writer has its rows.
#[derive(Clone)]
pub(super) struct Placement {
    shared: SharedShards,
    /// As it was when the last batch began.
    shards: Option<Arc<Shards>>,
    server: usize,
}

impl Placement {
    /// On this server, by its place among all.
    pub(super) fn new(shared: SharedShards, server: usize) -> Self {
        let shards = shared.read().clone();
        Self { shared, shards, server }
    }

    /// How to connect to the server.
    pub(super) fn target(&self, any: &ConnectTarget) -> ConnectTarget {
        let server = self.shards.as_ref().and_then(|shards| shards.servers.get(self.server));
        server.map_or_else(|| any.clone(), |server| any.at(&server.host, server.port))
    }

    pub(super) fn names(&self) -> TableNames<'_> {
        let server = self.shards.as_deref().map(|shards| (shards, self.server));
        TableNames { server, only: None, are_spread: server.is_some() }
    }

    /// Whether the database is spread.
    pub(super) fn is_spread(&self) -> bool {
        self.shards.is_some()
    }

    /// Reads anew where the rows are, and whether that is not as it was. Where it cannot be read, whoever asks next tries again.
    pub(super) async fn refresh(&mut self, connection: &Connection) -> bool {
        let known = self.shards.as_ref().map(|shards| shards.servers.clone()).unwrap_or_default();
        let found = match Shards::read(connection, &known).await {
            Ok(found) => found.map(Arc::new),
            Err(error) => {
                tracing::warn!(%error, "it cannot be read where shards are");
                return false;
            }
        };
        let has_moved = found != self.shards;
        if has_moved {
            tracing::info!("shards have moved");
            self.shared.write().clone_from(&found);
            self.shards = found;
        }
        has_moved
    }
}

/// The shards that a transaction calls by their own names.
pub(super) struct ShardsInUse(BTreeSet<i64>);

impl ShardsInUse {
    /// The statements that come before all others: nobody moves these shards until the end of the transaction, and as
    /// many of them are on the server as the second one counts.
    pub(super) fn queries<'q>(&self) -> Vec<Query<'q>> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let query = |text: &str| Query { text: text.to_owned(), params: vec![Param::many(self.0.iter().copied())] };
        vec![query(KEEP_SHARDS), query(SHARDS_HERE)]
    }

    /// Whether all are on the server, by the answers to these statements.
    pub(super) fn check_are_here(&self, answers: impl Iterator<Item = QueryResult>) -> Result<(), TransactionFailure> {
        let Some(counted) = answers.last() else { return Ok(()) };
        let count = counted.rows.first().map(|row| row.try_get::<_, i64>(0)).transpose().map_err(PgError::Server)?;
        if count.and_then(|count| usize::try_from(count).ok()) == Some(self.0.len()) {
            return Ok(());
        }
        Err(TransactionFailure::Fatal(StoreError::Corrupt("a shard is not where it was".to_owned())))
    }
}

/// The hash of a number by which Citus places rows: PostgreSQL's `hashint8`.
fn citus_hash(value: i64) -> i32 {
    let bytes = value.to_le_bytes();
    let half = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    let (low, high) = (half(0), half(4));
    hash_u32(low ^ if value < 0 { !high } else { high }).cast_signed()
}

/// PostgreSQL's `hash_bytes_uint32`: the last step of Jenkins' hash.
fn hash_u32(value: u32) -> u32 {
    let start = 0x9e37_79b9_u32.wrapping_add(4).wrapping_add(3_923_095);
    let (mut a, mut b, mut c) = (start.wrapping_add(value), start, start);
    let mix = |into: u32, with: u32, by: u32| (into ^ with).wrapping_sub(with.rotate_left(by));
    c = mix(c, b, 14);
    a = mix(a, c, 11);
    b = mix(b, a, 25);
    c = mix(c, b, 16);
    a = mix(a, c, 4);
    b = mix(b, a, 14);
    mix(c, b, 24)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_servers() -> Shards {
        let shard = |table: &str, id, last_hash, port| PlacedShard {
            table: table.to_owned(),
            group: i64::from(table == "nodes"),
            id,
            last_hash,
            server: ShardServer { host: "db".to_owned(), port },
        };
        let placed = [
            shard("orders", 10, Some(-1), 1),
            shard("tickets", 20, Some(-1), 1),
            shard("nodes", 40, Some(-1), 2),
            shard("orders", 11, Some(i32::MAX), 2),
            shard("tickets", 21, Some(i32::MAX), 2),
            shard("nodes", 41, Some(i32::MAX), 1),
            shard("partners", 30, None, 1),
        ];
        Shards::new(placed.into(), &[]).unwrap()
    }

    fn tag(number: i64) -> ShardTag {
        ShardTag::from_i64(number).unwrap()
    }

    #[test]
    fn numbers_have_the_hashes_that_postgresql_gives_them() {
        for (number, hash) in HASHES {
            assert_eq!(citus_hash(number), hash, "{number}");
        }
    }

    /// By `SELECT hashint8(number)`.
    const HASHES: [(i64, i32); 5] = [
        (0, -272_711_505),
        (1, -1_905_060_026),
        (5, -1_330_264_708),
        (4_294_967_295, 385_747_274),
        (2_411_011_887, 1_008_805_850),
    ];

    #[test]
    fn servers_keep_their_places_when_others_come() {
        let server = |host: &str| ShardServer { host: host.to_owned(), port: 1 };
        let shard = |host: &str, last_hash| PlacedShard {
            table: "orders".to_owned(),
            group: 0,
            id: 10,
            last_hash: Some(last_hash),
            server: server(host),
        };
        let known = [server("b"), server("c")];
        let shards = Shards::new(vec![shard("a", -1), shard("c", i32::MAX)], &known).unwrap();
        assert_eq!(shards.servers(), ["b", "c", "a"].map(server));
    }

    #[test]
    fn only_shards_of_the_server_are_called_by_their_own_names() {
        use kassa_domain::node::Node;
        use kassa_domain::partner::Partner;
        use kassa_domain::ticket::Ticket;
        let shards = two_servers();
        let of_server = |server| (0..1_000).map(tag).find(|tag| shards.server_of("orders", *tag) == server).unwrap();
        let (near, far) = (of_server(0), of_server(1));
        let names = TableNames { server: Some((&shards, 0)), only: None, are_spread: true };
        assert_eq!(names.of::<Ticket>(Some(near), false).name, "tickets_20");
        assert!(names.of::<Ticket>(Some(near), false).spans_tags);
        assert_eq!(names.of::<Ticket>(Some(far), false).name, "tickets");
        assert!(!names.of::<Ticket>(Some(far), false).spans_tags);
        assert_eq!(names.of::<Ticket>(None, true).name, "tickets", "rows of all events");
        assert_eq!(names.of::<Node>(Some(far), false).name, "nodes_41", "they are placed otherwise");
        assert_eq!(names.of::<Partner>(None, true).name, "partners_30");
        assert_eq!(
            names.of::<Partner>(None, false).name,
            "partners",
            "each server has a copy: all of them are written"
        );
        let of_tickets = |tags: &[ShardTag]| names.shards_of(&tags.iter().map(|tag| ("tickets", *tag)).collect());
        assert_eq!(of_tickets(&[near, far]).0, BTreeSet::from([10]), "others move with the first");
        assert_eq!(
            names.limited_to(&of_tickets(&[far])).of::<Ticket>(Some(near), false).name,
            "tickets",
            "it may be moved"
        );
        assert_eq!(names.of_tables().of::<Ticket>(Some(near), false).name, "tickets");
    }
}
