//! How many rows a list has, where that is known already but for the newest. An agent with a hundred thousand orders waits
//! longer for their number than for a page of them, and nearly all of them were counted the last time.
//!
//! Whoever makes a row gives it a key of its own number, above all keys that it has made before, and notes the highest in
//! its row of `nodes`. So of a list that only grows, what has come since it was counted are the rows whose keys lie above
//! what their writers had noted by then. Clocks that differ, or go back, change nothing of that.

use std::collections::{BTreeMap, HashMap};

use kassa_domain::id::{KEYS_PER_NODE_AND_MS, NODES_MAX};
use parking_lot::Mutex;

use super::{Comparison, Filter, Predicate, RowCount, Statement, count_further_statement, count_statement};
use crate::cell::Cell;

/// Lists of fewer rows are counted anew: that takes less than a millisecond.
const REMEMBERED_FROM: u64 = 10_000;
/// So many counts are remembered. Beyond that, all are forgotten.
const REMEMBERED_MAX: usize = 1_000;

/// The numbers of all writers, each with the highest key that it has made.
pub(crate) const WRITER_MARKS: &str = "SELECT number, last_id FROM nodes";

/// The highest key that each writer has made.
pub(crate) type WriterMarks = BTreeMap<u16, i64>;

/// What long lists were counted to.
pub(crate) struct RememberedCounts {
    remembered_from: u64,
    /// By the statement that counts all of a list.
    counts: Mutex<HashMap<String, RememberedCount>>,
}

#[derive(Clone)]
struct RememberedCount {
    total: u64,
    marks: WriterMarks,
}

/// How a list is counted by whoever sees what these marks say.
pub(crate) struct ListCount {
    key: String,
    marks: WriterMarks,
    /// Rows that were counted before.
    counted: u64,
    /// What counts the others, if there can be any.
    pub(crate) statement: Option<Statement>,
}

impl Default for RememberedCounts {
    fn default() -> Self {
        Self { remembered_from: REMEMBERED_FROM, counts: Mutex::default() }
    }
}

/// What counts all of a list whose counts are remembered.
pub(crate) fn remembered_count_statement<F: Filter>(filter: &F, count: RowCount) -> Option<Statement> {
    count_statement(filter, count).filter(|_| count == RowCount::All && filter.only_grows())
}

impl RememberedCounts {
    /// Whether a list was counted that this statement counts.
    pub(crate) fn has(&self, count_all: &Statement) -> bool {
        self.counts.lock().contains_key(&key(count_all))
    }

    /// How a list is counted that this statement counts, by a reader who sees what the marks say.
    pub(crate) fn plan<F: Filter>(&self, filter: &F, count_all: Statement, marks: WriterMarks) -> ListCount {
        let key = key(&count_all);
        let known = self.counts.lock().get(&key).cloned().filter(|known| known.is_seen_by(&marks));
        let Some(known) = known else { return ListCount { key, marks, counted: 0, statement: Some(count_all) } };
        let newer = known.newer_rows(&marks);
        let statement = newer.map(|newer| count_further_statement(filter, newer));
        ListCount { key, marks, counted: known.total, statement }
    }

    /// How many rows a list has, of which the statement of its plan has counted so many.
    pub(crate) fn total(&self, plan: ListCount, further: u64) -> u64 {
        let ListCount { key, marks, counted, .. } = plan;
        let total = counted + further;
        if total >= self.remembered_from {
            self.remember(key, RememberedCount { total, marks });
        }
        total
    }

    fn remember(&self, key: String, count: RememberedCount) {
        let mut counts = self.counts.lock();
        if counts.len() >= REMEMBERED_MAX && !counts.contains_key(&key) {
            counts.clear();
        }
        counts.insert(key, count);
    }
}

/// What a list is known by.
fn key(count_all: &Statement) -> String {
    format!("{count_all:?}")
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

#[cfg(test)]
impl RememberedCounts {
    /// One that remembers short lists, too.
    pub(crate) fn of_all_lists() -> Self {
        Self { remembered_from: 1, ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use kassa_domain::Id;
    use kassa_domain::Timestamp;
    use kassa_domain::order::OrderStatusKind;

    use super::*;
    use crate::tables::OrdersFilter;

    fn of_agent(agent: i64) -> OrdersFilter {
        OrdersFilter { partners: vec![Id::root(agent)], ..OrdersFilter::default() }
    }

    fn plan(counts: &RememberedCounts, agent: i64, mark: i64) -> ListCount {
        let filter = of_agent(agent);
        let count_all = remembered_count_statement(&filter, RowCount::All).unwrap();
        counts.plan(&filter, count_all, WriterMarks::from([(1, mark)]))
    }

    #[test]
    fn an_older_view_is_counted_by_itself() {
        let counts = RememberedCounts::of_all_lists();
        assert_eq!(counts.total(plan(&counts, 7, 20), 5), 5);
        let older = plan(&counts, 7, 19);
        assert_eq!(older.statement, count_statement(&of_agent(7), RowCount::All));
        assert_eq!(counts.total(older, 4), 4);
    }

    #[test]
    fn nothing_is_counted_twice_and_where_nothing_came_nothing_is_counted() {
        let counts = RememberedCounts::of_all_lists();
        counts.total(plan(&counts, 7, 20), 5);
        let same = plan(&counts, 7, 20);
        assert!(same.statement.is_none());
        assert_eq!(counts.total(same, 0), 5);
        let later = plan(&counts, 7, 21);
        assert_ne!(later.statement, count_statement(&of_agent(7), RowCount::All));
        assert_eq!(counts.total(later, 2), 7);
    }

    #[test]
    fn what_is_remembered_is_bounded_and_few_rows_are_not() {
        let counts = RememberedCounts::of_all_lists();
        for agent in 0..=i64::try_from(REMEMBERED_MAX).unwrap() {
            counts.total(plan(&counts, agent, 20), 5);
        }
        assert_eq!(counts.counts.lock().len(), 1);
        let counts = RememberedCounts::default();
        for total in [REMEMBERED_FROM - 1, REMEMBERED_FROM] {
            counts.total(plan(&counts, 7, 20), total);
            assert_eq!(counts.counts.lock().len(), usize::from(total == REMEMBERED_FROM));
        }
    }

    #[test]
    fn lists_that_may_shrink_or_are_narrowed_are_not_remembered() {
        let at = Timestamp::from_ms(1_767_225_600_000);
        let of_state = OrdersFilter { status: Some(vec![OrderStatusKind::Reserved]), ..of_agent(7) };
        let of_time = OrdersFilter { created: Some((at, at)), ..of_agent(7) };
        for filter in [of_state, of_time] {
            assert!(remembered_count_statement(&filter, RowCount::All).is_none());
        }
        assert!(remembered_count_statement(&of_agent(7), RowCount::UpTo(100)).is_none());
    }
}
