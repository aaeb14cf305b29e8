//! What a batch has changed in its view, as statements: one for all rows of a table of which the same is done, and where the
//! database is spread, of a tag.

use std::collections::BTreeMap;

use kassa_domain::node::Node;
use kassa_domain::view::Table;

use super::params::Param;
use super::pipeline::{Query, QueryResult};
use super::shards::{Place, TableNames, TableRef};
use super::statements;
use crate::cell::Cell;
use crate::error::StoreError;
use crate::rows::{ColumnRole, MappedRow, RowKey as _};

/// Rows of a statement that has a parameter for each value.
const VALUES_ROWS_MAX: u64 = 256;

/// The statements that write a batch, and how many rows each must meet.
pub(super) struct BatchStatements<'a> {
    names: TableNames<'a>,
    /// Whether there are rows that are not on the server.
    pub(super) writes_elsewhere: bool,
    pub(super) queries: Vec<Query<'a>>,
    expected: Vec<ExpectedRows>,
}

/// The rows that a statement must meet.
struct ExpectedRows {
    kind: RowsKind,
    count: u64,
    table: &'static str,
}

/// What a statement does with its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RowsKind {
    /// Makes them: all of them are there, or the statement has failed.
    New,
    /// Changes or removes them, if they are as they were loaded.
    Loaded,
}

/// Rows of one statement: an array for each column.
#[derive(Default)]
pub(super) struct RowArrays<'a> {
    pub(super) arrays: Vec<Vec<Cell<'a>>>,
    count: u64,
    is_one_by_one: bool,
}

impl<'a> RowArrays<'a> {
    pub(super) fn add(&mut self, cells: impl Iterator<Item = Cell<'a>>) {
        for (at, cell) in cells.enumerate() {
            if self.arrays.len() <= at {
                self.arrays.push(Vec::new());
            }
            self.arrays[at].push(cell);
        }
        self.count += 1;
    }

    /// The same with a parameter for each value, row by row, in parts: a statement has so many parameters at most, and statements
    /// of few lengths are kept prepared.
    fn one_by_one(self) -> Vec<Self> {
        let (mut parts, mut left) = (Vec::new(), self.count);
        let mut columns: Vec<_> = self.arrays.into_iter().map(Vec::into_iter).collect();
        while left > 0 {
            let count = VALUES_ROWS_MAX.min(1 << left.ilog2());
            let rows = usize::try_from(count).unwrap_or(0);
            let arrays = columns.iter_mut().map(|column| column.by_ref().take(rows).collect()).collect();
            parts.push(Self { arrays, count, is_one_by_one: true });
            left -= count;
        }
        parts
    }

    fn into_params(self) -> Vec<Param<'a>> {
        if !self.is_one_by_one {
            return self.arrays.into_iter().map(Param::Many).collect();
        }
        let mut columns: Vec<_> = self.arrays.into_iter().map(Vec::into_iter).collect();
        let rows = (0..self.count).flat_map(|_| columns.iter_mut().filter_map(Iterator::next).collect::<Vec<_>>());
        rows.map(Param::One).collect()
    }
}

/// What is written to the rows of a place.
#[derive(Default)]
struct PlaceGroup<'a> {
    deleted: RowArrays<'a>,
    making_room: RowArrays<'a>,
    updated: RowArrays<'a>,
    inserted: RowArrays<'a>,
}

impl<'a> BatchStatements<'a> {
    pub(super) fn new(names: TableNames<'a>) -> Self {
        Self { names, writes_elsewhere: false, queries: Vec::new(), expected: Vec::new() }
    }

    /// Makes each statement on loaded rows fail unless it meets all of them.
    pub(super) fn require_rows(&mut self) {
        let loaded =
            self.queries.iter_mut().zip(&self.expected).filter(|(_, expected)| expected.kind == RowsKind::Loaded);
        for (query, expected) in loaded {
            query.text = statements::requiring_rows(&query.text, query.params.len() + 1);
            query.params.push(Param::one(i64::try_from(expected.count).unwrap_or(i64::MAX)));
        }
    }

    /// The same for statements that were run as they are: a [`StoreError::Conflict`] names the table of which rows were not met.
    pub(super) fn check_rows(&self, answers: &[QueryResult]) -> Result<(), StoreError> {
        let unmet = answers.iter().zip(&self.expected).position(|(answer, expected)| answer.affected != expected.count);
        unmet.map_or(Ok(()), |statement| Err(self.conflict(statement)))
    }

    /// What it means that a statement has not met its rows.
    pub(super) fn conflict(&self, statement: usize) -> StoreError {
        StoreError::Conflict(self.expected[statement].table.to_owned())
    }

    /// A value of the row of a node that shows afterwards whether the batch was committed.
    pub(super) fn mark_commit(&mut self, table: &str, node: u16, mark: i64) {
        self.push(
            RowsKind::Loaded,
            statements::mark_commit(table),
            vec![Param::one(i64::from(node)), Param::one(mark)],
            1,
            Node::TABLE,
        );
    }

    fn push(&mut self, kind: RowsKind, text: String, params: Vec<Param<'a>>, count: u64, table: &'static str) {
        self.queries.push(Query { text, params });
        self.expected.push(ExpectedRows { kind, count, table });
    }

    /// What goes, goes first, then what makes room, and new rows come last: a unique value may change hands within a
    /// batch.
    pub(super) fn table<R: MappedRow>(&mut self, table: &'a Table<R>) {
        let (mut changed, mut new) = (Vec::new(), Vec::new());
        for (place, group) in self.group_by_place(table) {
            self.writes_elsewhere |= place.table.name == R::TABLE;
            self.add::<R>(RowsKind::Loaded, &place, group.deleted, |table, _| statements::delete::<R>(table));
            changed.extend([(place.clone(), group.making_room), (place.clone(), group.updated)]);
            new.push((place, group.inserted));
        }
        for (place, rows) in changed {
            self.add::<R>(RowsKind::Loaded, &place, rows, |table, _| statements::update::<R>(table));
        }
        for (place, rows) in new {
            if place.table.spans_tags {
                self.add::<R>(RowsKind::New, &place, rows, |table, _| statements::insert::<R>(table));
            } else {
                for part in rows.one_by_one() {
                    self.add::<R>(RowsKind::New, &place, part, statements::insert_values::<R>);
                }
            }
        }
    }

    /// Rows of one place, with the statement that writes so many of them.
    fn add<R: MappedRow>(
        &mut self,
        kind: RowsKind,
        place: &Place,
        rows: RowArrays<'a>,
        text: impl FnOnce(&TableRef, u64) -> String,
    ) {
        if rows.count == 0 {
            return;
        }
        let names_shard = kind == RowsKind::Loaded || R::is_tagged();
        let tag = place.named_tag().filter(|_| names_shard).map(|tag| Param::one(tag.to_i64()));
        let count = rows.count;
        let params = tag.into_iter().chain(rows.into_params()).collect();
        self.push(kind, text(&place.table, count), params, count, R::TABLE);
    }

    fn group_by_place<'t, R: MappedRow>(&self, table: &'t Table<R>) -> BTreeMap<Place, PlaceGroup<'t>> {
        let mut groups: BTreeMap<Place, PlaceGroup<'t>> = BTreeMap::new();
        for change in table.changes() {
            let shard = change.key.shard_tag().filter(|_| R::shard_column().is_some());
            let place = self.names.place(self.names.of::<R>(shard, false), shard);
            let spans_tags = place.table.spans_tags;
            let group = groups.entry(place).or_default();
            let mut key: Vec<Cell<'_>> = Vec::with_capacity(4);
            key.extend(shard.filter(|_| spans_tags && R::is_tagged()).map(|tag| Cell::from(tag.to_i64())));
            change.key.write(&mut key);
            key.push(change.version.into());
            let key = key.into_iter().map(Cell::into_owned);
            let Some(row) = change.row else {
                group.deleted.add(key);
                continue;
            };
            let mut cells = Vec::with_capacity(R::COLUMNS.len());
            row.write(&mut cells);
            let cells = cells.into_iter().zip(R::COLUMNS);
            if change.version == 0 {
                let its = cells.filter(|(_, column)| spans_tags || column.role != ColumnRole::Tag);
                group.inserted.add(its.map(|(cell, _)| cell));
            } else {
                let free = cells.filter(|(_, column)| column.role.is_mutable()).map(|(cell, _)| cell);
                let rows = if row.makes_room() { &mut group.making_room } else { &mut group.updated };
                rows.add(key.chain(free));
            }
        }
        groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_written_one_by_one_in_parts_of_few_lengths() {
        let mut rows = RowArrays::default();
        for row in 0..600_i64 {
            rows.add([Cell::from(row), Cell::from(-row)].into_iter());
        }
        let parts = rows.one_by_one();
        assert_eq!(parts.iter().map(|part| part.count).collect::<Vec<_>>(), [256, 256, 64, 16, 8]);
        let params: Vec<i64> = parts
            .into_iter()
            .flat_map(RowArrays::into_params)
            .map(|param| if let Param::One(Cell::Int(value)) = param { value } else { panic!("it is no number") })
            .collect();
        assert_eq!(params, (0..600).flat_map(|row| [row, -row]).collect::<Vec<_>>());
    }
}
