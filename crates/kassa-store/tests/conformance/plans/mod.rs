//! Every list, as the drivers send it, and how its rows are to be found. The cases of a list stand with its table, in
//! `tables/`.

mod postgres;
mod sqlite;

use std::any::type_name;
use std::collections::BTreeSet;

use kassa_domain::every_table;
use kassa_store::queries::{Statement, count_statement, select_statement};
use kassa_store::{Filter, PageWindow, RowCount};

use crate::kinds::SampleRow;
use crate::lists::ListModel;

/// How the rows of a page are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AccessPath {
    /// By an index; what is found is sorted.
    SortedIndex,
    /// By an index that has them in the order of the list.
    OrderedIndex,
    /// All of a partial index, which has these rows and no others, in the order of the list.
    WholeIndex,
    /// From the newest on, whatever may be left out. The list of these may only become shorter.
    OrderedFilter,
}

/// A statement of a list.
#[derive(Debug)]
pub(crate) struct PlanCase {
    pub(crate) statement: Statement,
    pub(crate) access_path: AccessPath,
    /// The indexes that are used, as SQLite shows them; the first word is the name.
    pub(crate) indexes: Vec<&'static str>,
}

impl PlanCase {
    pub(crate) fn new(statement: Statement, way: AccessPath, through: &[&'static str]) -> Self {
        Self { statement, access_path: way, indexes: through.to_vec() }
    }
}

/// The statement of a first page.
fn page<F: Filter>(filter: &F) -> Statement {
    select_statement(filter, PageWindow { limit: 100, offset: 0, count: RowCount::All })
}

/// Collects the cases.
#[derive(Default)]
pub(crate) struct PlanCases {
    cases: Vec<PlanCase>,
    filters: BTreeSet<String>,
}

impl PlanCases {
    /// All of them.
    pub(crate) fn of_every_table() -> Self {
        let mut cases = Self::default();
        macro_rules! collect {
            ($($field:ident: $row:ty,)*) => { $(<$row>::plan_cases(&mut cases);)* };
        }
        every_table!(collect);
        cases
    }

    /// The names of the filters that have a case.
    pub(crate) fn filters(self) -> BTreeSet<String> {
        self.filters
    }

    /// A statement that is no page of a list.
    pub(crate) fn add_statement(&mut self, statement: Statement, through: &[&'static str]) {
        self.cases.push(PlanCase::new(statement, AccessPath::SortedIndex, through));
    }

    /// A list, which has a model.
    pub(crate) fn add<F: ListModel>(&mut self, filter: &F, way: AccessPath, through: &[&'static str]) {
        self.filters.extend(type_name::<F>().rsplit("::").next().map(str::to_owned));
        self.cases.push(PlanCase::new(page(filter), way, through));
        let (way, through) = match way {
            AccessPath::OrderedFilter => return,
            AccessPath::WholeIndex => (way, through),
            AccessPath::SortedIndex | AccessPath::OrderedIndex => (AccessPath::SortedIndex, &[][..]),
        };
        self.cases.extend(count_statement(filter, RowCount::All).map(|count| PlanCase::new(count, way, through)));
        if way != AccessPath::WholeIndex {
            let bounded = count_statement(filter, RowCount::UpTo(1_000));
            self.cases.extend(bounded.map(|count| PlanCase::new(count, way, through)));
        }
    }

    pub(crate) fn add_sorted<F: ListModel>(&mut self, filter: &F) {
        self.add(filter, AccessPath::SortedIndex, &[]);
    }

    pub(crate) fn add_ordered<F: ListModel>(&mut self, filter: &F) {
        self.add(filter, AccessPath::OrderedIndex, &[]);
    }

    pub(crate) fn add_filtered<F: ListModel>(&mut self, filter: &F) {
        self.add(filter, AccessPath::OrderedFilter, &[]);
    }
}

/// The statements of all lists.
fn cases() -> Vec<PlanCase> {
    PlanCases::of_every_table().cases
}
