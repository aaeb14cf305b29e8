//! Lists: filters with their order, as one SQL text for every engine, and the same in memory.

mod answers;
mod attachments;
mod catalogue;
mod crm;
mod customers;
mod deals;
mod every;
mod house;
mod mails;
mod maps;
mod orders;
mod partners;
mod promocodes;
mod promotions;
mod refunds;
mod sellable;
pub(crate) mod tally;
mod tickets;
mod venues;

pub use answers::OldAnswers;
pub use attachments::AttachmentsFilter;
pub use catalogue::{EventStatusFilter, EventsFilter};
pub use crm::{Crm, CrmOf, CrmScope, CrmSums};
pub use customers::{CustomersFilter, CustomersOrder, OrderedFor};
pub use deals::DealsFilter;
pub use every::Every;
pub use house::JobsFilter;
pub use mails::{DueMails, MailsFilter};
pub use maps::MapsFilter;
pub use orders::{DueOrders, ExportedOrders, OrdersFilter, PaidOrders, Whose};
pub use partners::{KeysFilter, PartnersFilter, UsersFilter};
pub use promocodes::PromocodesFilter;
pub use promotions::PromotionsFilter;
pub use refunds::{RefundsFilter, RefundsOrder};
pub use sellable::SellableFilter;
pub use tickets::{SeatsFilter, TicketsFilter};
pub use venues::VenuesFilter;

use std::cmp::Ordering;
use std::fmt::Write as _;

use kassa_domain::Id;

use crate::cell::Cell;
use crate::memory::{Held, Tables};
use crate::rows::venues::folded;
use crate::rows::{Mapped, Part};

/// Which part of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    /// At most so many rows.
    pub limit: u32,
    /// After so many.
    pub offset: u64,
    /// Whether to count all rows that pass.
    pub count: bool,
}

impl Slice {
    /// The first rows, uncounted.
    pub fn first(limit: u32) -> Self {
        Self { limit, offset: 0, count: false }
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

/// A list of rows of one table.
pub trait Filter: Send + Sync + 'static {
    /// Of what.
    type Row: Held;
    /// The SQL of its order.
    const ORDER: &'static str;

    /// The SQL of the order that this one has, where the caller chooses it.
    fn order(&self) -> &'static str {
        Self::ORDER
    }

    /// Adds the SQL of what the caller may see, where [`Filter::reasons`] say the same.
    fn seen(&self, _: &mut Conditions) {}

    /// The several reasons for which the caller may see rows. No row passes for two of them, and an index has the
    /// rows of each in the order of the list.
    fn reasons(&self) -> Vec<Reason> {
        Vec::new()
    }

    /// Adds the SQL of its other conditions. Without any, every row passes.
    fn conditions(&self, sql: &mut Conditions);

    /// Whether a row passes: the same in memory.
    fn passes(&self, row: &Self::Row, tables: &Tables) -> bool;

    /// The order: the same in memory.
    fn compare(&self, one: &Self::Row, other: &Self::Row) -> Ordering;
}

/// One of several reasons for which rows pass.
#[derive(Debug)]
pub struct Reason {
    condition: String,
    args: Vec<Cell<'static>>,
}

impl Reason {
    /// Rows of this `condition`, in which each `?` stands for the next of `args`.
    pub fn new(condition: impl Into<String>, args: impl IntoIterator<Item = Cell<'static>>) -> Self {
        Self { condition: condition.into(), args: args.into_iter().collect() }
    }
}

/// Conditions of a WHERE clause, joined by AND, with their arguments.
#[derive(Debug, Default)]
pub struct Conditions {
    text: String,
    args: Vec<Cell<'static>>,
}

impl Conditions {
    /// Adds `condition`, in which each `?` stands for the next of `args`.
    pub fn add(&mut self, condition: &str, args: impl IntoIterator<Item = Cell<'static>>) {
        self.text.push_str(if self.text.is_empty() { " WHERE (" } else { " AND (" });
        let mut args = args.into_iter();
        for (at, part) in condition.split('?').enumerate() {
            if at > 0 {
                self.args.extend(args.next());
                // Writing to a String does not fail.
                let _ = write!(self.text, "${}", self.args.len());
            }
            self.text.push_str(part);
        }
        self.text.push(')');
    }

    /// Adds that one of these is so; nothing passes when there are none.
    pub fn any_of(&mut self, reasons: impl IntoIterator<Item = Reason>) {
        let (conditions, args): (Vec<_>, Vec<_>) =
            reasons.into_iter().map(|Reason { condition, args }| (condition, args)).unzip();
        let any = if conditions.is_empty() { "1 = 0".to_owned() } else { conditions.join(" OR ") };
        self.add(&any, args.into_iter().flatten());
    }

    /// Adds that the row is one of `ids`, which carry the tag of their event.
    pub fn one_of_ids<K>(&mut self, ids: &[Id<K>]) {
        self.one_of_tagged("id", ids);
    }

    /// Adds that `column` has one of `ids`, which carry the tag of the row's event.
    pub fn one_of_tagged<K>(&mut self, column: &str, ids: &[Id<K>]) {
        self.one_of(column, ids.iter().map(|id| id.key().into()));
        if !ids.is_empty() {
            let pairs = vec!["(?, ?)"; ids.len()].join(", ");
            let args = ids.iter().flat_map(|id| [id.key().into(), id.tag().to_i64().into()]);
            self.add(&format!("({column}, tag) IN (VALUES {pairs})"), args);
        }
    }

    /// Adds that `column` is one of `values`; nothing passes when there are none.
    pub fn one_of(&mut self, column: &str, values: impl IntoIterator<Item = Cell<'static>>) {
        let values: Vec<Cell<'static>> = values.into_iter().collect();
        if values.is_empty() {
            self.add("1 = 0", []);
        } else {
            let marks = vec!["?"; values.len()].join(", ");
            self.add(&format!("{column} IN ({marks})"), values);
        }
    }
}

/// A statement with its arguments; parameters are `$1`, `$2` ….
#[derive(Debug)]
pub struct Statement {
    /// The text.
    pub text: String,
    /// The arguments.
    pub args: Vec<Cell<'static>>,
}

/// The columns of a table, and `version`, as a SELECT lists them.
pub(crate) fn column_list<R: Mapped>() -> String {
    let mut names: Vec<&str> = R::COLUMNS.iter().map(|column| column.name).collect();
    names.push("version");
    names.join(", ")
}

/// The names of the key columns.
pub(crate) fn key_columns<R: Mapped>() -> impl Iterator<Item = &'static str> {
    R::COLUMNS.iter().filter(|column| column.part == Part::Key).map(|column| column.name)
}

/// The most reasons whose rows are looked up one by one.
const WALKS_MAX: usize = 24;

/// The statement that gives a page.
pub fn select<F: Filter>(filter: &F, slice: Slice) -> Statement {
    let mut conditions = Conditions::default();
    let reasons = filter.reasons();
    let (mut args, rows) = if (2..=WALKS_MAX).contains(&reasons.len()) {
        filter.conditions(&mut conditions);
        walks(filter, slice, reasons, conditions)
    } else {
        filter.seen(&mut conditions);
        filter.conditions(&mut conditions);
        let text = format!("SELECT {} FROM {}{}", column_list::<F::Row>(), F::Row::TABLE, conditions.text);
        (conditions.args, text)
    };
    args.push(i64::from(slice.limit).into());
    args.push(i64::try_from(slice.offset).unwrap_or(i64::MAX).into());
    let (order, limit, offset) = (filter.order(), args.len() - 1, args.len());
    Statement { text: format!("{rows} ORDER BY {order} LIMIT ${limit} OFFSET ${offset}"), args }
}

/// The first rows of each reason, as its index has them: with all reasons in one condition, everything that
/// passes would be read and sorted for a page of it.
fn walks<F: Filter>(
    filter: &F,
    slice: Slice,
    reasons: Vec<Reason>,
    conditions: Conditions,
) -> (Vec<Cell<'static>>, String) {
    let Conditions { text: shared, mut args } = conditions;
    let most = i64::try_from(slice.offset.saturating_add(slice.limit.into())).unwrap_or(i64::MAX);
    args.push(most.into());
    let (table, columns, order, most) = (F::Row::TABLE, column_list::<F::Row>(), filter.order(), args.len());
    let mut walks = Vec::new();
    for (at, reason) in (1..).zip(reasons) {
        let mut own = Conditions { text: shared.clone(), args };
        own.add(&reason.condition, reason.args);
        args = own.args;
        let rows = format!("SELECT {columns} FROM {table}{} ORDER BY {order} LIMIT ${most}", own.text);
        walks.push(format!("SELECT {columns} FROM ({rows}) AS walk{at}"));
    }
    (args, walks.join(" UNION ALL "))
}

/// The statement that counts what passes.
pub fn count<F: Filter>(filter: &F) -> Statement {
    let mut conditions = Conditions::default();
    filter.seen(&mut conditions);
    filter.conditions(&mut conditions);
    let text = format!("SELECT count(*) FROM {}{}", F::Row::TABLE, conditions.text);
    Statement { text, args: conditions.args }
}

/// The pattern of a text within others, whatever its case; `!` takes a sign for itself.
fn pattern(text: &str) -> String {
    let escaped = folded(text).replace('!', "!!").replace('%', "!%").replace('_', "!_");
    format!("%{escaped}%")
}

/// Newest first.
fn newest_first<T: Ord>(one: &T, other: &T) -> Ordering {
    other.cmp(one)
}
