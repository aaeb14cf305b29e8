//! Lists: filters with their order, as one SQL text for every engine.

mod attachments;
mod customer_totals;
mod customers;
mod deals;
pub(crate) mod event_recount;
mod events;
mod idempotency;
mod jobs;
mod mails;
mod maps;
mod orders;
mod partners;
mod promocodes;
mod promotions;
mod refunds;
mod sellable;
mod tickets;
mod venues;

pub use attachments::AttachmentsFilter;
pub use customer_totals::{CustomerTotals, CustomerTotalsByUserQuery, CustomerTotalsQuery, CustomerTotalsScope};
pub use customers::{CustomersFilter, CustomersOrder, OrderCriteria};
pub use deals::DealsFilter;
pub use events::{EventStatusFilter, EventsFilter};
pub use idempotency::ExpiredIdempotencyRecords;
pub use jobs::JobsFilter;
pub use mails::{DueMails, UnsentMailsFilter};
pub use maps::HallMapsFilter;
pub use orders::{ExpiredHolds, ExportScope, OrderExportFilter, OrdersFilter, PaidOrdersFilter};
pub use partners::{ApiKeysFilter, PartnersFilter, UsersFilter};
pub use promocodes::PromocodesFilter;
pub use promotions::PromotionsFilter;
pub use refunds::{RefundsFilter, RefundsOrder};
pub use sellable::SellableEventsFilter;
pub use tickets::{SeatsFilter, TicketsFilter};
pub use venues::VenuesFilter;

use std::fmt::Write as _;

use kassa_domain::Id;

use crate::cell::Cell;
use crate::driver_bounds::FilterInMemory;
use crate::rows::venues::fold_case;
use crate::rows::{ColumnRole, MappedRow};

/// Which part of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageWindow {
    /// At most so many rows.
    pub limit: u32,
    /// After so many.
    pub offset: u64,
    /// Whether to count all rows that pass.
    pub with_total: bool,
}

impl PageWindow {
    /// The first rows, uncounted.
    pub fn first(limit: u32) -> Self {
        Self { limit, offset: 0, with_total: false }
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
pub trait Filter: FilterInMemory<<Self as Filter>::Row> + Send + Sync + 'static {
    /// Of what.
    type Row: MappedRow;
    /// The SQL of its order.
    const ORDER: &'static str;

    /// The SQL of the order that this one has, where the caller chooses it.
    fn order(&self) -> &'static str {
        Self::ORDER
    }

    /// Adds the SQL of what the caller may see, where [`Filter::visibility_branches`] say the same.
    fn add_visibility(&self, _: &mut Conditions) {}

    /// The several reasons for which the caller may see rows. No row passes for two of them, and an index has the
    /// rows of each in the order of the list.
    fn visibility_branches(&self) -> Vec<VisibilityBranch> {
        Vec::new()
    }

    /// Adds the SQL of its other conditions. Without any, every row passes.
    fn conditions(&self, sql: &mut Conditions);
}

/// One of several reasons for which rows pass.
#[derive(Debug)]
pub struct VisibilityBranch {
    condition: String,
    args: Vec<Cell<'static>>,
}

impl VisibilityBranch {
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
    pub fn any_of(&mut self, reasons: impl IntoIterator<Item = VisibilityBranch>) {
        let (conditions, args): (Vec<_>, Vec<_>) =
            reasons.into_iter().map(|VisibilityBranch { condition, args }| (condition, args)).unzip();
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
pub(crate) fn column_list<R: MappedRow>() -> String {
    let mut names: Vec<&str> = R::COLUMNS.iter().map(|column| column.name).collect();
    names.push("version");
    names.join(", ")
}

/// The names of the key columns.
pub(crate) fn key_columns<R: MappedRow>() -> impl Iterator<Item = &'static str> {
    R::COLUMNS.iter().filter(|column| column.role == ColumnRole::Key).map(|column| column.name)
}

/// The most reasons whose rows are looked up one by one.
const BRANCHES_MAX: usize = 24;

/// The statement that gives a page.
pub fn select_statement<F: Filter>(filter: &F, slice: PageWindow) -> Statement {
    let mut conditions = Conditions::default();
    let reasons = filter.visibility_branches();
    let (mut args, rows) = if (2..=BRANCHES_MAX).contains(&reasons.len()) {
        filter.conditions(&mut conditions);
        union_of_branches(filter, slice, reasons, conditions)
    } else {
        filter.add_visibility(&mut conditions);
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
fn union_of_branches<F: Filter>(
    filter: &F,
    slice: PageWindow,
    reasons: Vec<VisibilityBranch>,
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
pub fn count_statement<F: Filter>(filter: &F) -> Statement {
    let mut conditions = Conditions::default();
    filter.add_visibility(&mut conditions);
    filter.conditions(&mut conditions);
    let text = format!("SELECT count(*) FROM {}{}", F::Row::TABLE, conditions.text);
    Statement { text, args: conditions.args }
}

/// The pattern of a text within others, whatever its case; `!` takes a sign for itself.
fn like_pattern(text: &str) -> String {
    let escaped = fold_case(text).replace('!', "!!").replace('%', "!%").replace('_', "!_");
    format!("%{escaped}%")
}
