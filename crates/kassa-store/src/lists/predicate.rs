//! Conditions on the columns of a row. Each is declared once: as SQL for databases, and as it is for rows in memory.

use std::fmt::Write as _;

use kassa_domain::view::Condition;
use kassa_domain::{Id, ShardTag, Timestamp};

use crate::cell::Cell;
#[cfg(feature = "test-drivers")]
use crate::rows::MappedRow;
use crate::rows::fold_case;
#[cfg(feature = "test-drivers")]
use crate::selectors::condition_holds;
use crate::selectors::condition_sql;

/// A condition on the columns of a row.
#[derive(Clone, Debug)]
pub enum Predicate {
    /// One that is the same for every list, spelled as in partial indexes.
    Constant(Condition),
    /// A column compared with a value.
    Compare(&'static str, Comparison, Cell<'static>),
    /// A column is within two values, both included.
    Between(&'static str, Cell<'static>, Cell<'static>),
    /// A column has one of these values; nothing passes when there are none.
    OneOf(&'static str, Vec<Cell<'static>>),
    /// A column has none of these values.
    NoneOf(&'static str, Vec<Cell<'static>>),
    /// A column and the tag of the row have one of these pairs of values; nothing passes when there are none.
    OneOfTagged(&'static str, Vec<TaggedKey>),
    /// These columns, from the first on, are larger than these values.
    After(&'static [&'static str], Vec<Cell<'static>>),
    /// A column that is in small letters contains this, which is, too.
    Contains(&'static str, String),
    /// All conditions of one of these lists hold; nothing passes when there are none.
    AnyOf(Vec<Vec<Predicate>>),
    /// SQL in which each `?` stands for the next of the values. For rows in memory [`super::Filter::matches`] says the
    /// same.
    Sql(String, Vec<Cell<'static>>),
}

/// How a column is compared with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `<>`
    NotEqual,
    /// `<`
    Below,
    /// `<=`
    AtMost,
    /// `>`
    Above,
    /// `>=`
    AtLeast,
}

/// An id that carries the tag of an event, as columns hold it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaggedKey {
    key: i64,
    tag: i64,
}

impl Comparison {
    fn operator(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::NotEqual => "<>",
            Self::Below => "<",
            Self::AtMost => "<=",
            Self::Above => ">",
            Self::AtLeast => ">=",
        }
    }

    #[cfg(feature = "test-drivers")]
    fn holds(self, found: &Cell<'_>, value: &Cell<'_>) -> bool {
        let order = found.cmp(value);
        match self {
            Self::Equal => order.is_eq(),
            Self::NotEqual => order.is_ne(),
            Self::Below => order.is_lt(),
            Self::AtMost => order.is_le(),
            Self::Above => order.is_gt(),
            Self::AtLeast => order.is_ge(),
        }
    }
}

/// An id of what belongs to no event, as it lies in a column. One with a foreign tag names nothing: no row
/// has the key -1.
pub(crate) fn root_key<K>(id: Id<K>) -> i64 {
    if id == Id::root(id.key()) { id.key() } else { -1 }
}

/// The same of several ids.
pub(crate) fn root_keys<K>(ids: &[Id<K>]) -> impl Iterator<Item = Cell<'static>> {
    ids.iter().map(|id| root_key(*id).into())
}

/// The tag of these ids, if it is the same for all.
pub(crate) fn tag_of_all<K>(ids: Option<&[Id<K>]>) -> Option<ShardTag> {
    let (first, others) = ids?.split_first()?;
    others.iter().all(|id| id.tag() == first.tag()).then(|| first.tag())
}

impl From<Condition> for Predicate {
    fn from(condition: Condition) -> Self {
        Self::Constant(condition)
    }
}

impl Predicate {
    /// A column compared with a value.
    pub fn compare(column: &'static str, comparison: Comparison, value: impl Into<Cell<'static>>) -> Self {
        Self::Compare(column, comparison, value.into())
    }

    /// A column has this value.
    pub fn equal(column: &'static str, value: impl Into<Cell<'static>>) -> Self {
        Self::compare(column, Comparison::Equal, value)
    }

    /// A column is within two times, both included.
    pub fn time_between(column: &'static str, first: Timestamp, last: Timestamp) -> Self {
        Self::Between(column, first.ms().into(), last.ms().into())
    }

    /// A column names this, which belongs to no event.
    pub fn names<K>(column: &'static str, id: Id<K>) -> Self {
        Self::equal(column, root_key(id))
    }

    /// A column names one of these, which belong to no event.
    pub fn names_one_of<K>(column: &'static str, ids: &[Id<K>]) -> Self {
        Self::one_of(column, root_keys(ids))
    }

    /// A column has one of these values.
    pub fn one_of(column: &'static str, values: impl IntoIterator<Item = Cell<'static>>) -> Self {
        Self::OneOf(column, values.into_iter().collect())
    }

    /// A column has one of these ids, which carry the tag of the row's event.
    pub fn one_of_tagged<K>(column: &'static str, ids: &[Id<K>]) -> Self {
        Self::OneOfTagged(column, ids.iter().map(|id| TaggedKey { key: id.key(), tag: id.tag().to_i64() }).collect())
    }

    /// A column that is in small letters contains a text, whatever its case.
    pub fn contains(column: &'static str, text: &str) -> Self {
        Self::Contains(column, fold_case(text))
    }

    /// SQL in which each `?` stands for the next of the values.
    pub fn sql(text: impl Into<String>, args: impl IntoIterator<Item = Cell<'static>>) -> Self {
        Self::Sql(text.into(), args.into_iter().collect())
    }

    /// Whether it holds for a row in memory. What is SQL only does.
    #[cfg(feature = "test-drivers")]
    pub(crate) fn holds<R: MappedRow>(&self, row: &R) -> bool {
        match self {
            Self::Constant(condition) => condition_holds(condition, &cell(row, condition.column())),
            Self::Compare(column, comparison, value) => {
                let found = cell(row, column);
                found != Cell::Null && comparison.holds(&found, value)
            }
            Self::Between(column, first, last) => (first..=last).contains(&&cell(row, column)),
            Self::OneOf(column, values) => values.contains(&cell(row, column)),
            Self::NoneOf(column, values) => {
                let found = cell(row, column);
                found != Cell::Null && !values.contains(&found)
            }
            Self::OneOfTagged(column, keys) => {
                let (key, tag) = (cell(row, column), cell(row, "tag"));
                keys.iter().any(|one| key == Cell::Int(one.key) && tag == Cell::Int(one.tag))
            }
            Self::After(columns, values) => columns.iter().map(|column| cell(row, column)).gt(values.iter().cloned()),
            Self::Contains(column, text) => {
                matches!(cell(row, column), Cell::Text(found) if found.contains(text.as_str()))
            }
            Self::AnyOf(lists) => lists.iter().any(|list| list.iter().all(|predicate| predicate.holds(row))),
            Self::Sql(..) => true,
        }
    }
}

/// What a row has in a column of this name.
#[cfg(feature = "test-drivers")]
pub(crate) fn cell<'a, R: MappedRow>(row: &'a R, column: &str) -> Cell<'a> {
    row.cell(column).unwrap_or_else(|| panic!("{} has no column {column}", R::TABLE))
}

/// SQL with its arguments; parameters are `$1`, `$2` ….
#[derive(Clone, Debug, Default)]
pub(crate) struct SqlText {
    pub(crate) text: String,
    pub(crate) args: Vec<Cell<'static>>,
}

impl SqlText {
    /// Adds a WHERE clause of these conditions, or more of them to the one that is there.
    pub(crate) fn add_conditions(&mut self, predicates: &[Predicate]) {
        for predicate in predicates {
            self.text.push_str(if self.text.is_empty() { " WHERE (" } else { " AND (" });
            self.add_predicate(predicate);
            self.text.push(')');
        }
    }

    fn add_predicate(&mut self, predicate: &Predicate) {
        match predicate {
            Predicate::Constant(condition) => self.text.push_str(&condition_sql(condition, "")),
            Predicate::Compare(column, comparison, value) => {
                self.add_text(format_args!("{column} {} ", comparison.operator()));
                self.add_param(value.clone());
            }
            Predicate::Between(column, first, last) => {
                self.add_text(format_args!("{column} BETWEEN "));
                self.add_param(first.clone());
                self.text.push_str(" AND ");
                self.add_param(last.clone());
            }
            Predicate::OneOf(_, values) if values.is_empty() => self.text.push_str("1 = 0"),
            Predicate::OneOf(column, values) => {
                self.add_text(format_args!("{column} IN "));
                self.add_tuple(values.iter().cloned());
            }
            Predicate::NoneOf(column, values) => {
                self.add_text(format_args!("{column} NOT IN "));
                self.add_tuple(values.iter().cloned());
            }
            Predicate::OneOfTagged(_, keys) if keys.is_empty() => self.text.push_str("1 = 0"),
            Predicate::OneOfTagged(column, keys) => self.add_tagged(column, keys),
            Predicate::After(columns, values) => {
                self.add_text(format_args!("({}) > ", columns.join(", ")));
                self.add_tuple(values.iter().cloned());
            }
            Predicate::Contains(column, text) => {
                self.add_text(format_args!("{column} LIKE "));
                self.add_param(like_pattern(text).into());
                self.text.push_str(" ESCAPE '!'");
            }
            Predicate::AnyOf(lists) => self.add_any_of(lists),
            Predicate::Sql(text, args) => {
                let mut args = args.iter().cloned();
                for (at, part) in text.split('?').enumerate() {
                    if at > 0 {
                        args.next().into_iter().for_each(|arg| self.add_param(arg));
                    }
                    self.text.push_str(part);
                }
                debug_assert!(args.next().is_none(), "more arguments than parameters: {text}");
            }
        }
    }

    /// The keys by themselves, too: by these an index finds rows.
    fn add_tagged(&mut self, column: &str, keys: &[TaggedKey]) {
        self.add_text(format_args!("{column} IN "));
        self.add_tuple(keys.iter().map(|key| key.key.into()));
        self.add_text(format_args!(" AND ({column}, tag) IN (VALUES "));
        for (at, key) in keys.iter().enumerate() {
            self.text.push_str(if at > 0 { ", " } else { "" });
            self.add_tuple([key.key.into(), key.tag.into()]);
        }
        self.text.push(')');
    }

    fn add_any_of(&mut self, lists: &[Vec<Predicate>]) {
        if lists.is_empty() {
            self.text.push_str("1 = 0");
        }
        for (at, list) in lists.iter().enumerate() {
            self.text.push_str(if at > 0 { " OR " } else { "" });
            for (at, predicate) in list.iter().enumerate() {
                self.text.push_str(if at > 0 { " AND (" } else { "(" });
                self.add_predicate(predicate);
                self.text.push(')');
            }
        }
    }

    fn add_text(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a String does not fail.
        let _ = self.text.write_fmt(text);
    }

    pub(crate) fn add_param(&mut self, value: Cell<'static>) {
        self.args.push(value);
        let number = self.args.len();
        self.add_text(format_args!("${number}"));
    }

    fn add_tuple(&mut self, values: impl IntoIterator<Item = Cell<'static>>) {
        self.text.push('(');
        for (at, value) in values.into_iter().enumerate() {
            self.text.push_str(if at > 0 { ", " } else { "" });
            self.add_param(value);
        }
        self.text.push(')');
    }
}

/// The pattern of a text within others; `!` takes a sign for itself.
fn like_pattern(folded: &str) -> String {
    let escaped = folded.replace('!', "!!").replace('%', "!%").replace('_', "!_");
    format!("%{escaped}%")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_numbered_in_the_order_of_their_values() {
        let (one, other) = (Id::<()>::root(5), Id::<()>::root(6));
        let predicates = [
            Condition::NOT_REMOVED.into(),
            Predicate::AnyOf(vec![
                vec![Predicate::names("agent", one)],
                vec![Predicate::names("user_id", other), Predicate::one_of("email", ["a".into(), "b".into()])],
            ]),
            Predicate::sql("x = ? OR y = ?", [7.into(), 8.into()]),
            Predicate::AnyOf(Vec::new()),
        ];
        let mut sql = SqlText::default();
        sql.add_conditions(&predicates);
        let expected = " WHERE (removed = 0) AND ((agent = $1) OR (user_id = $2) AND (email IN ($3, $4))) \
            AND (x = $5 OR y = $6) AND (1 = 0)";
        assert_eq!(sql.text, expected);
        assert_eq!(sql.args, [5.into(), 6.into(), "a".into(), "b".into(), 7.into(), 8.into()]);
    }
}
