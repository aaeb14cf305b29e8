//! How many rows a list has.

use rusqlite::Connection;

use super::query_statement;
use crate::error::StoreError;
use crate::lists::{
    Filter, GrowingList, RememberedCounts, RowCount, Statement, WRITER_MARKS, WriterMarks, count_is_remembered,
    count_statement,
};

/// The only database of a server.
const DATABASE: i64 = 0;

/// How many rows a list has, in the read transaction of the connection; `None` where nothing is to be counted.
pub(super) fn count_rows<F: Filter>(
    connection: &Connection,
    counts: &RememberedCounts,
    filter: &F,
    count: RowCount,
) -> Result<Option<u64>, StoreError> {
    if !count_is_remembered(filter, count) {
        let statement = count_statement(filter, count);
        let counted = statement.map(|statement| number(connection, &statement)).transpose()?;
        return Ok(counted.map(|counted| count.bounded(counted)));
    }
    let list = GrowingList::new(DATABASE, filter);
    if !counts.knows(&list) {
        let total = number(connection, &list.count_all)?;
        counts.note_unknown(&list, total);
        return Ok(Some(total));
    }
    let plan = counts.plan(&list, writer_marks(connection)?);
    let further = plan.statement.as_ref().map(|statement| number(connection, statement)).transpose()?;
    Ok(Some(counts.note(&list, plan, further.unwrap_or_default())))
}

fn writer_marks(connection: &Connection) -> Result<WriterMarks, StoreError> {
    let mut select = connection.prepare_cached(WRITER_MARKS)?;
    let marks = select.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(marks.collect::<Result<_, _>>()?)
}

/// The one number that a statement gives.
fn number(connection: &Connection, statement: &Statement) -> Result<u64, StoreError> {
    let mut found = 0;
    query_statement(connection, statement, &mut |source| {
        found = source.int_as()?;
        Ok(())
    })?;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use kassa_domain::Id;
    use kassa_domain::Timestamp;
    use kassa_domain::id::next_key;

    use super::*;
    use crate::schema_migrations::SQLITE_MIGRATIONS;
    use crate::sqlite::{connect, schema};
    use crate::tables::OrdersFilter;

    const AGENT: i64 = 7;

    fn of_agent() -> OrdersFilter {
        OrdersFilter { partners: vec![Id::root(AGENT)], ..OrdersFilter::default() }
    }

    /// The columns that are read here.
    fn tables() -> Connection {
        let connection = Connection::open_in_memory().unwrap();
        connection
            .execute_batch(
                "CREATE TABLE nodes (number INTEGER PRIMARY KEY, last_id INTEGER);
                CREATE TABLE orders (id INTEGER PRIMARY KEY, organizer INTEGER, vendor INTEGER, status TEXT,
                    created_at INTEGER);",
            )
            .unwrap();
        connection
    }

    /// An order that a writer makes at a time, for the agent or another; its key is noted with it.
    fn make_order(connection: &Connection, node: u16, at: Timestamp, vendor: i64) {
        let mark = writer_marks(connection).unwrap().get(&node).copied().unwrap_or_default();
        let key = next_key(mark, node, at);
        connection.execute("INSERT OR REPLACE INTO nodes (number, last_id) VALUES (?1, ?2)", (node, key)).unwrap();
        connection
            .execute(
                "INSERT INTO orders (id, organizer, vendor, status, created_at) VALUES (?1, 1, ?2, 'executed', ?3)",
                (key, vendor, at.ms()),
            )
            .unwrap();
    }

    #[test]
    fn what_is_remembered_and_what_came_since_is_all() {
        let (connection, counts) = (tables(), RememberedCounts::of_all_lists());
        let mut orders = 0;
        // Three writers by turns, whose clocks differ by hours, and go back.
        for turn in 0..60_i64 {
            for step in 0..turn % 4 {
                let node = u16::try_from((turn * 7 + step) % 3).unwrap();
                let hours = [0, 5, -3][usize::from(node)] - i64::from(turn % 9 == 0);
                let at = Timestamp::from_ms(1_767_225_600_000 + turn * 10 + hours * 3_600_000);
                make_order(&connection, node, at, AGENT);
                make_order(&connection, node, at, AGENT + 1);
                orders += 1;
            }
            let count = count_rows(&connection, &counts, &of_agent(), RowCount::All).unwrap();
            assert_eq!(count, Some(orders), "in turn {turn}");
        }
    }

    #[test]
    fn of_a_list_that_was_counted_only_what_came_since_is_read() {
        let (connection, counts) = (tables(), RememberedCounts::of_all_lists());
        let (filter, at) = (of_agent(), Timestamp::from_ms(1_767_225_600_000));
        let total = || count_rows(&connection, &counts, &filter, RowCount::All).unwrap();
        for _ in 0..50 {
            make_order(&connection, 1, at, AGENT);
        }
        // It is known by the first time, and counted to marks by the second.
        assert_eq!([total(), total()], [Some(50), Some(50)]);
        make_order(&connection, 1, at, AGENT);
        // What was counted is not looked at again, and so is not missed.
        connection.execute("DELETE FROM orders WHERE id IN (SELECT id FROM orders ORDER BY id LIMIT 10)", ()).unwrap();
        assert_eq!(total(), Some(51));
    }

    #[test]
    fn what_came_since_is_found_by_the_indexes_of_the_list() {
        let folder = tempfile::tempdir().unwrap();
        let connection = connect(&folder.path().join("kassa.db"), false).unwrap();
        schema::migrate(&connection, SQLITE_MIGRATIONS).unwrap();
        let (counts, filter) = (RememberedCounts::of_all_lists(), of_agent());
        let list = GrowingList::new(DATABASE, &filter);
        counts.note(&list, counts.plan(&list, WriterMarks::from([(0, 5), (1, 5)])), 9);
        let further = counts.plan(&list, WriterMarks::from([(0, 6), (1, 7)]));
        let Statement { text, args } = further.statement.unwrap();
        let mut explain = connection.prepare(&format!("EXPLAIN QUERY PLAN {}", text.replace('$', "?"))).unwrap();
        let steps = explain.query_map(rusqlite::params_from_iter(args), |row| row.get::<_, String>(3)).unwrap();
        let plan = steps.collect::<Result<Vec<_>, _>>().unwrap().join("\n");
        for step in ["orders_organizer (organizer=? AND rowid>?)", "orders_agent (vendor=? AND id>?)"] {
            assert!(plan.contains(step), "{plan}");
        }
    }
}
