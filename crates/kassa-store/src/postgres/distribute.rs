//! Spreads the tables over the servers of a database that has Citus.

use std::collections::BTreeSet;

use kassa_domain::change::{AudienceEntry, FeedHead};
use kassa_domain::every_table;
use kassa_domain::node::{Node, SharedCounter};
use kassa_domain::order::Order;

use super::connection::{ConnectTarget, Connection, ConnectionRole};
use super::shards::has_citus;
use crate::error::StoreError;
use crate::lists::Statement;
use crate::rows::MappedRow;

/// What is in one place: all lanes share it, and no sale writes it.
const IN_ONE_PLACE: [&str; 3] = [SharedCounter::TABLE, AudienceEntry::TABLE, FeedHead::TABLE];

/// What is unique over all rows, and cannot be over several servers. Of order numbers the lease of blocks stands alone then,
/// and of places in the feed the lock of its head.
pub(super) const UNIQUE_ACROSS_SHARDS: [(&str, &str); 2] = [
    ("orders", "DROP INDEX orders_number; CREATE UNIQUE INDEX orders_number ON orders (number, tag)"),
    (
        "change_batches",
        "DROP INDEX change_batches_place; CREATE UNIQUE INDEX change_batches_place ON change_batches (place, node)",
    ),
];

/// A sequence would give each server numbers of its own range: the order of batches is that of their clocks.
const STAMPS_BY_CLOCK: &str = "ALTER TABLE change_batches ALTER COLUMN stamp DROP IDENTITY IF EXISTS, \
    ALTER COLUMN stamp SET DEFAULT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint";

/// The tables that Citus knows.
const KNOWN_TABLES: &str = "SELECT c.relname::text FROM pg_dist_partition AS t \
    JOIN pg_catalog.pg_class AS c ON c.oid = t.logicalrelid WHERE pg_catalog.pg_table_is_visible(c.oid)";

/// A lane that has a number, by the clock of the database: its server runs, or ran a moment ago.
const HAS_LANES: &str =
    "SELECT 1 FROM nodes WHERE lease_till > (extract(epoch FROM clock_timestamp()) * 1000)::bigint LIMIT 1";

/// What came of the wish to spread a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Distribution {
    /// These tables were spread, all others were before.
    Tables(Vec<&'static str>),
    /// It has no Citus.
    NoCitus,
    /// A server of ours runs on it: what that writes meanwhile could be in neither place.
    ServerRuns,
}

/// How the rows of a table lie on several servers.
enum TableSpread {
    /// By the hash of this column.
    ByColumn(&'static str),
    /// All of them on each.
    Copied,
    /// All of them on the coordinator.
    InOnePlace,
}

/// A table, and how it is spread.
struct SpreadTable {
    name: &'static str,
    spread: TableSpread,
    /// The table beside whose rows its own lie.
    beside: &'static str,
}

impl SpreadTable {
    fn of<R: MappedRow>() -> Self {
        let spread = match R::shard_column() {
            Some(column) => TableSpread::ByColumn(column),
            None if IN_ONE_PLACE.contains(&R::TABLE) => TableSpread::InOnePlace,
            None => TableSpread::Copied,
        };
        let beside = if R::is_tagged() { Order::TABLE } else { Node::TABLE };
        Self { name: R::TABLE, spread, beside }
    }

    /// All tables, those first beside which others lie.
    fn all() -> Vec<Self> {
        let mut tables = Vec::new();
        macro_rules! collect {
            ($($field:ident: $row:ty,)*) => {
                $(tables.push(Self::of::<$row>());)*
            };
        }
        every_table!(collect);
        tables.sort_by_key(|table| (table.name != table.beside, table.name));
        tables
    }

    /// What spreads it.
    fn statements(&self) -> Vec<String> {
        let name = self.name;
        let column = match self.spread {
            TableSpread::ByColumn(column) => column,
            TableSpread::Copied => return vec![format!("SELECT create_reference_table('{name}')")],
            TableSpread::InOnePlace => return vec![format!("SELECT citus_add_local_table_to_metadata('{name}')")],
        };
        let unique = UNIQUE_ACROSS_SHARDS.iter().filter(|(table, _)| *table == name);
        let mut statements: Vec<String> = unique.map(|(_, statements)| (*statements).to_owned()).collect();
        if name == "change_batches" {
            statements.push(STAMPS_BY_CLOCK.to_owned());
        }
        // A planner that sees the tag of an event that is newer than its statistics expects no rows of it.
        statements.push(format!("ALTER TABLE {name} ALTER COLUMN {column} SET STATISTICS 0"));
        statements.push(match (name == self.beside, name == Node::TABLE) {
            (false, _) => {
                let beside = self.beside;
                format!("SELECT create_distributed_table('{name}', '{column}', colocate_with => '{beside}')")
            }
            (true, false) => format!("SELECT create_distributed_table('{name}', '{column}', colocate_with => 'none')"),
            // A shard for each server is enough to have rows on all of them, and all of them are often asked for.
            (true, true) => format!(
                "SELECT create_distributed_table('{name}', '{column}', colocate_with => 'none', \
                 shard_count => (SELECT count(*)::int FROM pg_dist_node WHERE shouldhaveshards AND noderole = 'primary'))"
            ),
        });
        statements
    }
}

/// Spreads all tables that are not yet.
pub(super) async fn distribute(target: &ConnectTarget) -> Result<Distribution, StoreError> {
    let connection = Connection::open(target, ConnectionRole::Migrator).await?;
    if connection.query_row(HAS_LANES, &[]).await?.is_some() {
        return Ok(Distribution::ServerRuns);
    }
    if !has_citus(&connection).await? {
        return Ok(Distribution::NoCitus);
    }
    let mut known = BTreeSet::new();
    let statement = Statement { text: KNOWN_TABLES.to_owned(), args: Vec::new() };
    connection
        .for_each_row(&statement, |row| {
            known.insert(row.try_get::<_, String>(0)?);
            Ok(())
        })
        .await?;
    let mut spread = Vec::new();
    for table in SpreadTable::all().into_iter().filter(|table| !known.contains(table.name)) {
        for statement in table.statements() {
            connection.execute_without_timeout(&statement).await?;
        }
        spread.push(table.name);
    }
    Ok(Distribution::Tables(spread))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_spread_after_that_beside_which_its_rows_lie() {
        let tables = SpreadTable::all();
        let place = |name: &str| tables.iter().position(|table| table.name == name).unwrap();
        assert!(place("orders") < place("tickets") && place("nodes") < place("change_batches"));
        let of = |name: &str| tables[place(name)].statements().pop().unwrap();
        for (name, spread) in [
            ("orders", "create_distributed_table('orders', 'tag', colocate_with => 'none')"),
            ("tickets", "create_distributed_table('tickets', 'tag', colocate_with => 'orders')"),
            ("change_batches", "create_distributed_table('change_batches', 'node', colocate_with => 'nodes')"),
            ("partners", "create_reference_table('partners')"),
            ("counters", "citus_add_local_table_to_metadata('counters')"),
        ] {
            assert_eq!(of(name), format!("SELECT {spread}"));
        }
    }

    #[test]
    fn what_no_server_may_have_twice_is_made_unique_before_rows_are_spread() {
        for (name, statements) in UNIQUE_ACROSS_SHARDS {
            let table = SpreadTable::all().into_iter().find(|table| table.name == name).unwrap();
            assert_eq!(table.statements()[0], statements);
        }
    }
}
