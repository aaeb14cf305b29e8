//! How many rows a list has, where that is known already but for the newest. An agent with a hundred thousand orders waits
//! longer for their number than for a page of them, and nearly all of them were counted the last time.
//!
//! Whoever makes a row gives it a key of its own number, above all keys that it has made before, and notes the highest in
//! its row of `nodes`. So of a list that only grows, what has come since it was counted are the rows whose keys lie above
//! what their writers had noted by then. Clocks that differ, or go back, change nothing of that.

use std::collections::{BTreeMap, HashMap};

use kassa_domain::id::{KEYS_PER_NODE_AND_MS, NODES_MAX};
use parking_lot::Mutex;
use rusqlite::Connection;

use super::query_statement;
use crate::cell::Cell;
use crate::error::StoreError;
use crate::lists::{Comparison, Filter, Predicate, RowCount, Statement, count_further_statement, count_statement};

/// Lists of fewer rows are counted anew: that takes less than a millisecond.
const REMEMBERED_FROM: u64 = 10_000;
/// So many counts are remembered. Beyond that, all are forgotten.
const REMEMBERED_MAX: usize = 1_000;

/// The highest key that each writer has made.
type WriterMarks = BTreeMap<u16, i64>;

/// What long lists were counted to.
pub(super) struct RememberedCounts {
    remembered_from: u64,
    /// By the statement that counts all of a list.
    counts: Mutex<HashMap<String, RememberedCount>>,
}

#[derive(Clone)]
struct RememberedCount {
    total: u64,
    marks: WriterMarks,
}

impl Default for RememberedCounts {
    fn default() -> Self {
        Self { remembered_from: REMEMBERED_FROM, counts: Mutex::default() }
    }
}

impl RememberedCounts {
    /// How many rows a list has, in the read transaction of the connection; `None` where nothing is to be counted.
    pub(super) fn count<F: Filter>(
        &self,
        connection: &Connection,
        filter: &F,
        count: RowCount,
    ) -> Result<Option<u64>, StoreError> {
        let Some(statement) = count_statement(filter, count) else { return Ok(None) };
        if count != RowCount::All || !filter.only_grows() {
            return Ok(Some(count.bounded(number(connection, &statement)?)));
        }
        let (key, marks) = (format!("{statement:?}"), writer_marks(connection)?);
        let known = self.counts.lock().get(&key).cloned().filter(|known| known.is_seen_by(&marks));
        let newer = known.as_ref().map(|known| (known.total, known.newer_rows(&marks)));
        let total = match newer {
            Some((total, Some(newer))) => total + number(connection, &count_further_statement(filter, newer))?,
            Some((total, None)) => total,
            None => number(connection, &statement)?,
        };
        if total >= self.remembered_from {
            self.remember(key, RememberedCount { total, marks });
        }
        Ok(Some(total))
    }

    fn remember(&self, key: String, count: RememberedCount) {
        let mut counts = self.counts.lock();
        if counts.len() >= REMEMBERED_MAX && !counts.contains_key(&key) {
            counts.clear();
        }
        counts.insert(key, count);
    }
}

impl RememberedCount {
    /// Whether a reader sees all that was counted: it may have begun before whoever counted.
    fn is_seen_by(&self, marks: &WriterMarks) -> bool {
        self.marks.iter().all(|(node, last)| marks.get(node).is_some_and(|mark| mark >= last))
    }

    /// What is so of rows that were made since, if any were.
    fn newer_rows(&self, marks: &WriterMarks) -> Option<Vec<Predicate>> {
        let counted = |node: &u16| self.marks.get(node).copied().unwrap_or_default();
        let moved = marks.iter().filter(|(node, mark)| **mark > counted(node)).map(|(node, _)| (*node, counted(node)));
        let moved: Vec<(u16, i64)> = moved.collect();
        let lowest = moved.iter().map(|(_, last)| *last).min()?;
        let of_writer = |(node, last): &(u16, i64)| -> Vec<Predicate> {
            let made_by = format!("id / {KEYS_PER_NODE_AND_MS} % {NODES_MAX} = ?");
            vec![
                Predicate::sql(made_by, [Cell::from(i64::from(*node))]),
                Predicate::compare("id", Comparison::Above, *last),
            ]
        };
        // The first leads into the index.
        let above = Predicate::compare("id", Comparison::Above, lowest);
        Some(vec![above, Predicate::AnyOf(moved.iter().map(of_writer).collect())])
    }
}

fn writer_marks(connection: &Connection) -> Result<WriterMarks, StoreError> {
    let mut select = connection.prepare_cached("SELECT number, last_id FROM nodes")?;
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
    use kassa_domain::order::OrderStatusKind;

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

    fn remembering_all() -> RememberedCounts {
        RememberedCounts { remembered_from: 1, ..RememberedCounts::default() }
    }

    #[test]
    fn what_is_remembered_and_what_came_since_is_all() {
        let (connection, counts) = (tables(), remembering_all());
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
            let count = counts.count(&connection, &of_agent(), RowCount::All).unwrap();
            assert_eq!(count, Some(orders), "in turn {turn}");
        }
    }

    #[test]
    fn an_older_view_is_counted_by_itself() {
        let (connection, counts) = (tables(), remembering_all());
        let at = Timestamp::from_ms(1_767_225_600_000);
        make_order(&connection, 1, at, AGENT);
        let marks = BTreeMap::from([(1, i64::MAX)]);
        let key = format!("{:?}", count_statement(&of_agent(), RowCount::All).unwrap());
        counts.remember(key, RememberedCount { total: 5, marks });
        assert_eq!(counts.count(&connection, &of_agent(), RowCount::All).unwrap(), Some(1));
    }

    #[test]
    fn what_is_remembered_is_bounded_and_few_rows_are_not() {
        let (connection, counts) = (tables(), remembering_all());
        make_order(&connection, 1, Timestamp::from_ms(1_767_225_600_000), AGENT);
        for event in 0..=i64::try_from(REMEMBERED_MAX).unwrap() {
            let count = RememberedCount { total: 1, marks: WriterMarks::new() };
            counts.remember(event.to_string(), count);
        }
        assert_eq!(counts.counts.lock().len(), 1);
        let few = RememberedCounts::default();
        assert_eq!(few.count(&connection, &of_agent(), RowCount::All).unwrap(), Some(1));
        assert!(few.counts.lock().is_empty());
    }

    #[test]
    fn a_total_that_is_remembered_is_used_but_for_lists_that_may_shrink_or_are_narrowed() {
        let (connection, counts) = (tables(), remembering_all());
        let at = Timestamp::from_ms(1_767_225_600_000);
        make_order(&connection, 1, at, AGENT);
        let status = Some(vec![OrderStatusKind::Reserved]);
        let of_state = OrdersFilter { status, ..of_agent() };
        let of_time = OrdersFilter { created: Some((at, at)), ..of_agent() };
        let lists = [of_agent(), of_state, of_time];
        for list in &lists {
            let total = RememberedCount { total: 1_000, marks: writer_marks(&connection).unwrap() };
            counts.remember(format!("{:?}", count_statement(list, RowCount::All).unwrap()), total);
        }
        make_order(&connection, 1, at, AGENT);
        let totals = lists.map(|list| counts.count(&connection, &list, RowCount::All).unwrap());
        assert_eq!(totals, [Some(1_001), Some(2), Some(2)]);
    }

    #[test]
    fn what_came_since_is_found_by_the_indexes_of_the_list() {
        let folder = tempfile::tempdir().unwrap();
        let connection = connect(&folder.path().join("kassa.db"), false).unwrap();
        schema::migrate(&connection, SQLITE_MIGRATIONS).unwrap();
        let known = RememberedCount { total: 9, marks: WriterMarks::from([(0, 5), (1, 5)]) };
        let newer = known.newer_rows(&WriterMarks::from([(0, 6), (1, 7)])).unwrap();
        let Statement { text, args } = count_further_statement(&of_agent(), newer);
        let mut explain = connection.prepare(&format!("EXPLAIN QUERY PLAN {}", text.replace('$', "?"))).unwrap();
        let steps = explain.query_map(rusqlite::params_from_iter(args), |row| row.get::<_, String>(3)).unwrap();
        let plan = steps.collect::<Result<Vec<_>, _>>().unwrap().join("\n");
        for step in ["orders_organizer (organizer=? AND rowid>?)", "orders_agent (vendor=? AND id>?)"] {
            assert!(plan.contains(step), "{plan}");
        }
    }
}
