//! All rows in memory, with the constraints of the real tables: the model that real drivers are
//! compared to, and the store of tests that need no disk.

mod load;

use std::collections::BTreeMap;
use std::sync::Arc;

use kassa_domain::audit::{Findings, UsageRecount, compare_usage};
use kassa_domain::event::EventId;
use kassa_domain::partner::PartnerId;
use kassa_domain::user::UserId;
use kassa_domain::{ReadSet, View, every_table};
use parking_lot::Mutex;

use crate::DecideFn;
use crate::aggregates::{
    CustomerTotals, CustomerTotalsByUserQuery, CustomerTotalsQuery, GroupedSales, SalesQuery, recount_in_memory,
};
use crate::error::StoreError;
use crate::lists::{Filter, Page, PageWindow, matching_rows};
use crate::memory_budget::MemoryMeter;
use crate::memory_tables::MemoryTables;
use crate::row_scan::{RowCursor, ScannedRow};
use crate::rows::{MappedRow, approximate_bytes};
use crate::tables::UnplacedBatch;
use load::load;

/// Writes what a batch changed: all of it, or nothing.
fn apply(tables: &mut MemoryTables, view: &View) -> Result<(), StoreError> {
    macro_rules! apply {
        ($($field:ident: $row:ty,)*) => {
            $(tables.$field.check(<$row>::TABLE, &view.$field)?;)*
            $(tables.$field.write(&view.$field);)*
        };
    }
    every_table!(apply);
    Ok(())
}

/// Every row as text.
fn dump(tables: &MemoryTables) -> Vec<String> {
    let mut lines = Vec::new();
    macro_rules! dump {
        ($($field:ident: $row:ty,)*) => {
            $(lines.extend(tables.$field.rows().map(|row| format!("{row:?}")));)*
        };
    }
    every_table!(dump);
    lines
}

/// A database in memory. Clones share it.
#[derive(Clone, Default)]
pub struct Memory {
    tables: Arc<Mutex<MemoryTables>>,
    reads: Arc<Mutex<ReadCounts>>,
    has_sequencer: bool,
}

/// What was read outside batches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadCounts {
    /// How often rows were read by selector.
    pub views: u64,
    /// How many rows that were.
    pub rows: u64,
}

impl ReadCounts {
    fn add(&mut self, view: &View) {
        macro_rules! count_rows {
            ($($field:ident: $row:ty,)*) => {
                [$(view.$field.rows().count() as u64),*].into_iter().sum::<u64>()
            };
        }
        self.views += 1;
        self.rows += every_table!(count_rows);
    }
}

impl Memory {
    /// A database whose batches get their places in the feed by a sequencer, as where several writers commit side by
    /// side.
    pub fn with_sequencer() -> Self {
        Self { has_sequencer: true, ..Self::default() }
    }

    pub(crate) fn has_sequencer(&self) -> bool {
        self.has_sequencer
    }

    pub(crate) fn writer_versions(&self) -> Vec<(u16, i64)> {
        self.tables.lock().nodes.versions().collect()
    }

    pub(crate) fn unplaced_batches(&self, limit: u32) -> Vec<UnplacedBatch> {
        UnplacedBatch::in_memory(&self.tables.lock(), limit)
    }

    /// Rows by selector.
    pub fn view(&self, read_set: &ReadSet) -> View {
        let view = load(&self.tables.lock(), read_set);
        self.reads.lock().add(&view);
        view
    }

    /// The same, charged to the meter of the task.
    pub(crate) fn metered_view(&self, read_set: &ReadSet) -> Result<View, StoreError> {
        let view = self.view(read_set);
        if let Some(meter) = MemoryMeter::try_current() {
            macro_rules! charge {
                ($($field:ident: $row:ty,)*) => {
                    $(view.$field.rows().try_for_each(|row| meter.charge(approximate_bytes(row)))?;)*
                };
            }
            every_table!(charge);
        }
        Ok(view)
    }

    /// What [`Memory::view`] has read so far.
    pub fn read_counts(&self) -> ReadCounts {
        *self.reads.lock()
    }

    /// A page of a list.
    pub fn page<F: Filter>(&self, filter: &F, slice: PageWindow) -> Page<F::Row> {
        let tables = self.tables.lock();
        let rows = matching_rows(filter, &tables);
        let total = slice.count.bounded(rows.len() as u64);
        // No table in memory has as many rows as a number can count.
        let offset = usize::try_from(slice.offset).unwrap_or(usize::MAX);
        let rows = rows.into_iter().skip(offset).take(slice.limit as usize).cloned().collect();
        Page { rows, total }
    }

    /// The same, charged to the meter of the task.
    pub(crate) fn metered_page<F: Filter>(&self, filter: &F, slice: PageWindow) -> Result<Page<F::Row>, StoreError> {
        let page = self.page(filter, slice);
        if let Some(meter) = MemoryMeter::try_current() {
            page.rows.iter().try_for_each(|row| meter.charge(approximate_bytes(row)))?;
        }
        Ok(page)
    }

    /// Rows by key, from behind a place on or from the first.
    pub fn scan<R: MappedRow>(&self, after: Option<&RowCursor>, limit: usize) -> Vec<ScannedRow<R>> {
        let tables = self.tables.lock();
        let rows = R::table_in(&tables).rows().cloned().map(ScannedRow::from_row);
        let mut rows: Vec<ScannedRow<R>> = rows.filter(|row| after.is_none_or(|place| row.cursor > *place)).collect();
        rows.sort_by(|one, other| one.cursor.cmp(&other.cursor));
        rows.truncate(limit);
        rows
    }

    /// What of an event does not add up.
    pub fn recount_event(&self, event: EventId) -> Findings {
        recount_in_memory(&self.tables.lock(), event).finish()
    }

    /// Which counters of what a partner stores are wrong.
    pub fn recount_usage(&self, partner: PartnerId) -> Findings {
        let (tables, mut view, mut findings) = (self.tables.lock(), View::default(), Findings::default());
        macro_rules! load_tables {
            ($($field:ident: $row:ty,)*) => {
                $(tables.$field.rows().for_each(|row| view.$field.load(row.clone(), 1));)*
            };
        }
        every_table!(load_tables);
        if let Some(stored) = view.partners.get(partner) {
            compare_usage(partner, &stored.usage, &UsageRecount::of_view(&view).usage_of(partner), &mut findings);
        }
        findings
    }

    /// What a user has bought.
    pub fn customer_totals(&self, query: &CustomerTotalsQuery) -> CustomerTotals {
        query.in_memory(&self.tables.lock())
    }

    /// What several users have bought.
    pub fn customer_totals_by_user(&self, query: &CustomerTotalsByUserQuery) -> BTreeMap<UserId, CustomerTotals> {
        query.in_memory(&self.tables.lock())
    }

    /// What was sold.
    pub fn sales(&self, query: &SalesQuery) -> Vec<GroupedSales> {
        query.in_memory(&self.tables.lock())
    }

    /// One batch.
    pub fn transact(&self, read_set: &ReadSet, decide: &mut DecideFn<'_>) -> Result<(), StoreError> {
        let mut tables = self.tables.lock();
        let mut view = load(&tables, read_set);
        decide(&mut view)?;
        apply(&mut tables, &view)
    }

    /// Every row as text, table by table and by key: for comparing drivers.
    pub fn dump(&self) -> Vec<String> {
        dump(&self.tables.lock())
    }
}
