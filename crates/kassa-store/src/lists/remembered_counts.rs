//! How many rows a list has, where that is known already but for the newest. An agent with a hundred thousand orders waits
//! longer for their number than for a page of them, and nearly all of them were counted the last time.
//!
//! Whoever makes a row gives it a key of its own number, above all keys that it has made before, and notes the highest in
//! its row of `nodes`. So of a list that only grows, what has come since it was counted are the rows whose keys lie above
//! what their writers had noted by then. Clocks that differ, or go back, change nothing of that.

use std::collections::{BTreeMap, HashMap};

use kassa_domain::id::{KEYS_PER_NODE_AND_MS, NODES_MAX};
use parking_lot::Mutex;

use super::{Comparison, CountLimit, Filter, Predicate, RowCount, RowPlacement, Statement, counting_statement};
use crate::cell::Cell;

/// Lists of fewer rows are counted anew: that takes hardly longer than to ask what has come since.
const REMEMBERED_FROM: u64 = 10_000;
/// So many lists are known. Beyond that, all are forgotten.
const LISTS_MAX: usize = 1_000;
/// Where more writers have made rows since, all of a list is counted: each of them is a condition.
const MOVED_WRITERS_MAX: usize = 16;

/// The numbers of all writers, each with the highest key that it has made.
pub(crate) const WRITER_MARKS: &str = "SELECT number, last_id FROM nodes";

/// The highest key that each writer has made.
pub(crate) type WriterMarks = BTreeMap<u16, i64>;

/// What long lists were counted to.
pub(crate) struct RememberedCounts {
    remembered_from: u64,
    known: Mutex<HashMap<String, KnownCount>>,
}

/// How many rows a long list had, and which marks were seen with them; none where nobody has looked at marks yet.
#[derive(Clone, Default)]
struct KnownCount {
    total: u64,
    marks: WriterMarks,
}

/// A list that only grows, whose count is remembered.
pub(crate) struct GrowingList<'a, F> {
    filter: &'a F,
    /// What counts all of it.
    pub(crate) count_all: Statement,
    key: String,
}

/// How a list is counted by whoever sees what these marks say.
pub(crate) struct CountPlan {
    marks: WriterMarks,
    /// Rows that were counted before.
    counted: u64,
    /// What counts the others, if there can be any.
    pub(crate) statement: Option<Statement>,
}

impl Default for RememberedCounts {
    fn default() -> Self {
        Self { remembered_from: REMEMBERED_FROM, known: Mutex::default() }
    }
}

/// Whether what a list was counted to is remembered.
pub(crate) fn count_is_remembered<F: Filter>(filter: &F, count: RowCount) -> bool {
    count == RowCount::All && filter.only_grows()
}

impl<'a, F: Filter> GrowingList<'a, F> {
    /// A list of a database, which the caller has a number for: what one has is not what another has.
    pub(crate) fn new(database: i64, filter: &'a F) -> Self {
        let count_all = counting_statement(filter, RowPlacement::Together, Vec::new(), CountLimit(None));
        let key = format!("{database} {count_all:?}");
        Self { filter, count_all, key }
    }
}

impl RememberedCounts {
    /// Whether the list is known to be long. Of others nobody needs to know the marks.
    pub(crate) fn knows<F>(&self, list: &GrowingList<'_, F>) -> bool {
        self.known.lock().contains_key(&list.key)
    }

    /// Notes how long a list is that is not known, without marks: the next who counts it shall look at them.
    pub(crate) fn note_unknown<F>(&self, list: &GrowingList<'_, F>, total: u64) {
        if total >= self.remembered_from {
            self.insert(&list.key, KnownCount::default());
        }
    }

    /// How a list is counted by a reader who sees what the marks say.
    pub(crate) fn plan<F: Filter>(&self, list: &GrowingList<'_, F>, marks: WriterMarks) -> CountPlan {
        let known = self.known.lock().get(&list.key).cloned().filter(|known| known.is_seen_by(&marks));
        match known.map(|known| (known.total, known.newer_rows(&marks))) {
            Some((counted, NewerRows::None)) => CountPlan { marks, counted, statement: None },
            Some((counted, NewerRows::Those(further))) => {
                let statement = counting_statement(list.filter, RowPlacement::Together, further, CountLimit(None));
                CountPlan { marks, counted, statement: Some(statement) }
            }
            None | Some((_, NewerRows::OfMany)) => {
                CountPlan { marks, counted: 0, statement: Some(list.count_all.clone()) }
            }
        }
    }

    /// Notes how many rows a list has, of which the statement of its plan has counted so many. Returns that.
    pub(crate) fn note<F>(&self, list: &GrowingList<'_, F>, plan: CountPlan, further: u64) -> u64 {
        let total = plan.counted + further;
        if total >= self.remembered_from {
            self.insert(&list.key, KnownCount { total, marks: plan.marks });
        } else {
            // Rows that were counted are gone, with the database that had them.
            self.known.lock().remove(&list.key);
        }
        total
    }

    fn insert(&self, key: &str, count: KnownCount) {
        let mut known = self.known.lock();
        if known.len() >= LISTS_MAX && !known.contains_key(key) {
            known.clear();
        }
        known.insert(key.to_owned(), count);
    }
}

/// What is so of rows that were made since a list was counted.
enum NewerRows {
    /// There are none.
    None,
    Those(Vec<Predicate>),
    /// Too many have made some.
    OfMany,
}

impl KnownCount {
    /// Whether a reader sees all that was counted: it may have begun before whoever counted.
    fn is_seen_by(&self, marks: &WriterMarks) -> bool {
        !self.marks.is_empty() && self.marks.iter().all(|(node, last)| marks.get(node).is_some_and(|mark| mark >= last))
    }

    fn newer_rows(&self, marks: &WriterMarks) -> NewerRows {
        let counted = |node: &u16| self.marks.get(node).copied().unwrap_or_default();
        let moved = marks.iter().filter(|(node, mark)| **mark > counted(node)).map(|(node, _)| (*node, counted(node)));
        let moved: Vec<(u16, i64)> = moved.collect();
        if moved.len() > MOVED_WRITERS_MAX {
            return NewerRows::OfMany;
        }
        let Some(lowest) = moved.iter().map(|(_, last)| *last).min() else { return NewerRows::None };
        let of_writer = |(node, last): &(u16, i64)| -> Vec<Predicate> {
            let made_by = format!("id / {KEYS_PER_NODE_AND_MS} % {NODES_MAX} = ?");
            vec![
                Predicate::sql(made_by, [Cell::from(i64::from(*node))]),
                Predicate::compare("id", Comparison::Above, *last),
            ]
        };
        // The first leads into the index.
        let above = Predicate::compare("id", Comparison::Above, lowest);
        NewerRows::Those(vec![above, Predicate::AnyOf(moved.iter().map(of_writer).collect())])
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

    /// What is left to be counted of an agent's list, and what was before.
    #[derive(Debug, PartialEq)]
    enum Left {
        All,
        Nothing(u64),
        Newer(u64),
    }

    /// An agent's list, as a reader counts it who sees so many writers with this mark, and finds so many rows.
    fn count(counts: &RememberedCounts, agent: i64, writers: u16, mark: i64, found: u64) -> (Left, u64) {
        let filter = of_agent(agent);
        let list = GrowingList::new(1, &filter);
        let plan = counts.plan(&list, (0..writers).map(|writer| (writer, mark)).collect());
        let left = match &plan.statement {
            None => Left::Nothing(plan.counted),
            Some(statement) if *statement == list.count_all => Left::All,
            Some(_) => Left::Newer(plan.counted),
        };
        (left, counts.note(&list, plan, found))
    }

    #[test]
    fn only_what_has_come_since_is_left_to_be_counted() {
        let counts = RememberedCounts::of_all_lists();
        assert_eq!(count(&counts, 7, 1, 20, 5), (Left::All, 5));
        assert_eq!(count(&counts, 7, 1, 20, 0), (Left::Nothing(5), 5));
        assert_eq!(count(&counts, 7, 1, 21, 2), (Left::Newer(5), 7));
        assert_eq!(count(&counts, 7, 2, 21, 1), (Left::Newer(7), 8), "a writer is new");
        assert_eq!(count(&counts, 8, 2, 21, 3), (Left::All, 3), "a list of another");
    }

    #[test]
    fn an_older_view_is_counted_by_itself() {
        let counts = RememberedCounts::of_all_lists();
        count(&counts, 7, 1, 20, 5);
        assert_eq!(count(&counts, 7, 1, 19, 4), (Left::All, 4));
    }

    #[test]
    fn where_many_have_written_all_is_counted() {
        let counts = RememberedCounts::of_all_lists();
        count(&counts, 7, 20, 20, 5);
        assert_eq!(count(&counts, 7, 20, 21, 6), (Left::All, 6));
    }

    #[test]
    fn few_rows_are_not_remembered_and_long_lists_are_bounded() {
        let counts = RememberedCounts::default();
        let (first, second) = (of_agent(1), of_agent(2));
        let [short, long] = [&first, &second].map(|filter| GrowingList::new(1, filter));
        counts.note_unknown(&short, REMEMBERED_FROM - 1);
        counts.note_unknown(&long, REMEMBERED_FROM);
        assert!(!counts.knows(&short) && counts.knows(&long));
        assert!(!counts.knows(&GrowingList::new(2, &second)), "another database");
        assert_eq!(count(&counts, 2, 1, 20, REMEMBERED_FROM), (Left::All, REMEMBERED_FROM), "no marks were noted");
        count(&counts, 2, 1, 10, REMEMBERED_FROM - 1);
        assert!(!counts.knows(&long), "rows have gone");

        let counts = RememberedCounts::of_all_lists();
        for agent in 0..=i64::try_from(LISTS_MAX).unwrap() {
            count(&counts, agent, 1, 20, 5);
        }
        assert_eq!(counts.known.lock().len(), 1);
    }

    #[test]
    fn lists_that_may_shrink_or_are_narrowed_are_not_remembered() {
        let at = Timestamp::from_ms(1_767_225_600_000);
        let of_state = OrdersFilter { status: Some(vec![OrderStatusKind::Reserved]), ..of_agent(7) };
        let of_time = OrdersFilter { created: Some((at, at)), ..of_agent(7) };
        let remembered = [of_agent(7), of_state, of_time].map(|filter| count_is_remembered(&filter, RowCount::All));
        assert_eq!(remembered, [true, false, false]);
        assert!(!count_is_remembered(&of_agent(7), RowCount::UpTo(100)));
    }
}
