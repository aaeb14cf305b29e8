//! Lists: the rows of a table that pass a filter, in its order. A filter stands with its table in `tables/`.

mod predicate;
mod remembered_counts;
mod visibility;

#[cfg(feature = "test-drivers")]
pub(crate) use predicate::cell;
pub use predicate::{Comparison, Predicate, TaggedKey};
pub(crate) use predicate::{SqlText, root_key, root_keys, tag_of_all};
pub(crate) use remembered_counts::{GrowingList, RememberedCounts, WRITER_MARKS, WriterMarks, count_is_remembered};
pub use visibility::Visibility;

#[cfg(feature = "test-drivers")]
use std::cmp::Ordering;

use kassa_domain::ShardTag;

use crate::cell::Cell;
#[cfg(feature = "test-drivers")]
use crate::memory_tables::{MemoryTables, RowInMemory as _};
use crate::rows::{MappedRow, column_list};

/// Which part of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageWindow {
    /// At most so many rows.
    pub limit: u32,
    /// After so many.
    pub offset: u64,
    /// How far rows that pass are counted.
    pub count: RowCount,
}

/// How far the rows of a list are counted: of very many that takes longer than reading a page of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowCount {
    /// Not at all.
    None,
    /// All of them, but no further than this.
    UpTo(u64),
    /// All of them.
    All,
}

/// How far rows are counted; all of them without a limit.
#[derive(Clone, Copy)]
struct CountLimit(Option<u64>);

impl PageWindow {
    /// The first rows, uncounted.
    pub fn first(limit: u32) -> Self {
        Self { limit, offset: 0, count: RowCount::None }
    }
}

/// Rows of a list.
#[derive(Clone, Debug)]
pub struct Page<R> {
    /// The rows.
    pub rows: Vec<R>,
    /// How many pass the filter in all, if that was asked for.
    pub total: u64,
}

/// A column that a list is sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SortKey {
    /// From its smallest value up.
    Ascending(&'static str),
    /// From its largest value down.
    Descending(&'static str),
    /// Rows without a value, then from the smallest value up.
    NullsThenAscending(&'static str),
    /// From the largest value down, then rows without one.
    DescendingThenNulls(&'static str),
}

/// The order of most lists.
pub const NEWEST_FIRST: &[SortKey] = &[SortKey::Descending("id")];

/// A list of rows of one table. What it says of columns serves databases and rows in memory alike.
pub trait Filter: Send + Sync + 'static {
    /// Of what.
    type Row: MappedRow;

    /// The order of the list. No two rows are equal in it.
    fn order(&self) -> &'static [SortKey] {
        NEWEST_FIRST
    }

    /// Which rows the caller may see, where it sees those that name it.
    fn visibility(&self) -> Option<Visibility> {
        None
    }

    /// Whether its rows are read one after the other by the index that has them in the order of the list, however many
    /// the database believes to be there: of rows that are new it knows nothing, and would sort all of them for each page.
    fn walks_index(&self) -> bool {
        false
    }

    /// Whether a row that passes always will, and none is ever deleted: then what was counted need not be counted again. Only
    /// for tables whose column `id` has keys that a node makes, and notes in its row in the same transaction.
    fn only_grows(&self) -> bool {
        false
    }

    /// The tag of all rows that pass, where they are of one event.
    fn shard_tag(&self) -> Option<ShardTag> {
        None
    }

    /// Adds the other conditions. Without any, every row passes.
    fn conditions(&self, conditions: &mut Conditions);

    /// For rows in memory: what of the conditions is [`Predicate::Sql`].
    #[cfg(feature = "test-drivers")]
    fn matches(&self, _: &Self::Row, _: &MemoryTables) -> bool {
        true
    }
}

/// Where the rows of a list are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum RowPlacement {
    /// In one place.
    #[default]
    Together,
    /// On several servers of a database: the tag of all rows is named, where they have one, so that one shard is asked. Elsewhere
    /// that would only mislead the planner, which takes it for one condition more.
    Spread,
}

/// The statements of a page: what it shows, and how many there are.
pub(crate) fn page_statements<F: Filter>(filter: &F, placement: RowPlacement, slice: PageWindow) -> Vec<Statement> {
    let mut statements = vec![selecting_statement(filter, placement, slice)];
    let limit = slice.count.limit();
    statements.extend(limit.map(|limit| counting_statement(filter, placement, Vec::new(), limit)));
    statements
}

/// The conditions of a list, all of which must hold.
#[derive(Clone, Debug, Default)]
pub struct Conditions {
    all: Vec<Predicate>,
    placement: RowPlacement,
}

impl Conditions {
    /// Adds one.
    pub fn add(&mut self, predicate: impl Into<Predicate>) {
        self.all.push(predicate.into());
    }

    /// Adds some, or one if it is asked for.
    pub fn extend(&mut self, predicates: impl IntoIterator<Item = Predicate>) {
        self.all.extend(predicates);
    }

    /// Whether the rows are on several servers: then no row can be compared with others one by one.
    pub(crate) fn are_of_spread_rows(&self) -> bool {
        self.placement == RowPlacement::Spread
    }

    fn of<F: Filter>(filter: &F, placement: RowPlacement) -> Self {
        let mut conditions = Self { placement, all: Vec::new() };
        conditions.add_those_of(filter);
        conditions
    }

    /// With who sees the rows.
    fn of_visible<F: Filter>(filter: &F, placement: RowPlacement) -> Self {
        let mut conditions = Self { placement, all: Vec::new() };
        conditions.extend(filter.visibility().map(|visibility| visibility.predicate()));
        conditions.add_those_of(filter);
        conditions
    }

    fn add_those_of<F: Filter>(&mut self, filter: &F) {
        filter.conditions(self);
        let tag = filter.shard_tag().filter(|_| self.are_of_spread_rows());
        self.extend(tag.map(|tag| Predicate::equal("tag", tag.to_i64())));
    }

    /// Whether all hold for a row in memory.
    #[cfg(feature = "test-drivers")]
    pub(crate) fn hold<R: MappedRow>(&self, row: &R) -> bool {
        self.all.iter().all(|predicate| predicate.holds(row))
    }

    /// As a WHERE clause, if there are any.
    pub(crate) fn sql(&self) -> SqlText {
        let mut sql = SqlText::default();
        sql.add_conditions(&self.all);
        sql
    }
}

/// The rows in memory that pass, in the order of the list.
#[cfg(feature = "test-drivers")]
pub(crate) fn matching_rows<'a, F: Filter>(filter: &F, tables: &'a MemoryTables) -> Vec<&'a F::Row> {
    let conditions = Conditions::of_visible(filter, RowPlacement::Together);
    let mut rows: Vec<&F::Row> = F::Row::table_in(tables).rows().collect();
    rows.retain(|row| conditions.hold(*row) && filter.matches(row, tables));
    rows.sort_by(|one, other| compare(filter.order(), *one, *other));
    rows
}

#[cfg(feature = "test-drivers")]
fn compare<R: MappedRow>(order: &[SortKey], one: &R, other: &R) -> Ordering {
    let by_key = |key: &SortKey| match key {
        SortKey::Ascending(column) | SortKey::NullsThenAscending(column) => cell(one, column).cmp(&cell(other, column)),
        SortKey::Descending(column) | SortKey::DescendingThenNulls(column) => {
            cell(other, column).cmp(&cell(one, column))
        }
    };
    order.iter().map(by_key).fold(Ordering::Equal, Ordering::then)
}

/// A statement with its arguments; parameters are `$1`, `$2` ….
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The text.
    pub text: String,
    /// The arguments.
    pub args: Vec<Cell<'static>>,
}

/// The most reasons whose rows are looked up one by one.
const BRANCHES_MAX: usize = 24;

/// The statement that gives a page.
pub fn select_statement<F: Filter>(filter: &F, slice: PageWindow) -> Statement {
    selecting_statement(filter, RowPlacement::Together, slice)
}

fn selecting_statement<F: Filter>(filter: &F, placement: RowPlacement, slice: PageWindow) -> Statement {
    let branches = filter.visibility().map(|visibility| visibility.branches()).unwrap_or_default();
    let SqlText { text: rows, mut args } = if (2..=BRANCHES_MAX).contains(&branches.len()) {
        union_of_branches(filter, placement, slice, &branches)
    } else {
        let SqlText { text, args } = Conditions::of_visible(filter, placement).sql();
        SqlText { text: format!("SELECT {} FROM {}{text}", column_list::<F::Row>(), F::Row::TABLE), args }
    };
    args.push(i64::from(slice.limit).into());
    args.push(row_count(slice.offset));
    let (order, limit, offset) = (order_sql(filter.order()), args.len() - 1, args.len());
    Statement { text: format!("{rows} ORDER BY {order} LIMIT ${limit} OFFSET ${offset}"), args }
}

fn order_sql(order: &[SortKey]) -> String {
    let keys: Vec<String> = order
        .iter()
        .map(|key| match key {
            SortKey::Ascending(column) => (*column).to_owned(),
            SortKey::Descending(column) => format!("{column} DESC"),
            // Each database has its own place for them, unless it is told.
            SortKey::NullsThenAscending(column) => format!("{column} NULLS FIRST"),
            SortKey::DescendingThenNulls(column) => format!("{column} DESC NULLS LAST"),
        })
        .collect();
    keys.join(", ")
}

/// A number of rows. A client may ask for more than any table has: for as many as a database can count.
pub(crate) fn row_count(rows: u64) -> Cell<'static> {
    i64::try_from(rows).unwrap_or(i64::MAX).into()
}

/// The first rows of each reason, as its index has them: with all reasons in one condition, everything that
/// passes would be read and sorted for a page of it.
fn union_of_branches<F: Filter>(
    filter: &F,
    placement: RowPlacement,
    slice: PageWindow,
    branches: &[Vec<Predicate>],
) -> SqlText {
    let SqlText { text: shared, mut args } = Conditions::of(filter, placement).sql();
    args.push(row_count(slice.offset.saturating_add(slice.limit.into())));
    let (table, columns, order, most) = (F::Row::TABLE, column_list::<F::Row>(), order_sql(filter.order()), args.len());
    let mut walks = Vec::new();
    for (at, branch) in (1..).zip(branches) {
        let mut own = SqlText { text: shared.clone(), args };
        own.add_conditions(branch);
        args = own.args;
        let rows = format!("SELECT {columns} FROM {table}{} ORDER BY {order} LIMIT ${most}", own.text);
        walks.push(format!("SELECT {columns} FROM ({rows}) AS walk{at}"));
    }
    SqlText { text: walks.join(" UNION ALL "), args }
}

/// The statement that counts what passes, no further than to a limit; `None` where nothing is to be counted.
pub fn count_statement<F: Filter>(filter: &F, count: RowCount) -> Option<Statement> {
    Some(counting_statement(filter, RowPlacement::Together, Vec::new(), count.limit()?))
}

/// The statement that counts what passes, and for which these hold, too.
fn counting_statement<F: Filter>(
    filter: &F,
    placement: RowPlacement,
    further: Vec<Predicate>,
    CountLimit(limit): CountLimit,
) -> Statement {
    let branches = filter.visibility().map(|visibility| visibility.branches()).unwrap_or_default();
    if !(2..=BRANCHES_MAX).contains(&branches.len()) {
        let mut conditions = Conditions::of_visible(filter, placement);
        conditions.extend(further);
        let SqlText { text, args } = conditions.sql();
        return Statement { text: count_sql(F::Row::TABLE, &text, limit), args };
    }
    // Each reason by its own index: rows that pass for several reasons would have to be remembered.
    let mut conditions = Conditions::of(filter, placement);
    conditions.extend(further);
    let SqlText { text: shared, mut args } = conditions.sql();
    let mut counts = Vec::new();
    for branch in &branches {
        let mut own = SqlText { text: shared.clone(), args };
        own.add_conditions(branch);
        args = own.args;
        counts.push(format!("({})", count_sql(F::Row::TABLE, &own.text, limit)));
    }
    Statement { text: format!("SELECT {}", counts.join(" + ")), args }
}

/// Counts the rows of a table for which conditions hold, up to so many.
fn count_sql(table: &str, conditions: &str, limit: Option<u64>) -> String {
    match limit {
        None => format!("SELECT count(*) FROM {table}{conditions}"),
        Some(most) => {
            let most = i64::try_from(most).unwrap_or(i64::MAX);
            format!("SELECT count(*) FROM (SELECT 1 FROM {table}{conditions} LIMIT {most}) AS counted")
        }
    }
}

impl RowCount {
    /// How far rows are counted, `None` for all of them; `None` where they are not.
    fn limit(self) -> Option<CountLimit> {
        match self {
            Self::None => None,
            Self::UpTo(most) => Some(CountLimit(Some(most))),
            Self::All => Some(CountLimit(None)),
        }
    }

    /// What a count says that may have gone further, having several parts.
    pub(crate) fn bounded(self, counted: u64) -> u64 {
        match self {
            Self::UpTo(most) => counted.min(most),
            Self::None | Self::All => counted,
        }
    }
}

#[cfg(test)]
mod tests {
    use kassa_domain::Id;

    use super::*;
    use crate::tables::OrdersFilter;

    /// How many of the statements of a page name the tag, and how many there are.
    fn naming_the_tag(filter: &OrdersFilter, placement: RowPlacement) -> (usize, usize) {
        let slice = PageWindow { count: RowCount::All, ..PageWindow::first(10) };
        let statements = page_statements(filter, placement, slice);
        (statements.iter().filter(|statement| statement.text.contains("tag = $")).count(), statements.len())
    }

    #[test]
    fn a_list_of_one_event_asks_one_shard_where_rows_are_spread() {
        let [one, other] = [1, 2].map(Id::root);
        let of = |events: Vec<_>| OrdersFilter { events: Some(events), ..OrdersFilter::default() };
        assert_eq!(naming_the_tag(&of(vec![one]), RowPlacement::Spread), (2, 2));
        assert_eq!(naming_the_tag(&of(vec![one, other]), RowPlacement::Spread), (0, 2));
        // It would mislead a planner that has all rows.
        assert_eq!(naming_the_tag(&of(vec![one]), RowPlacement::Together), (0, 2));
    }
}
