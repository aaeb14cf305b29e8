//! The one connection that writes.

use std::collections::HashMap;
use std::sync::Arc;

use kassa_domain::view::{Row, RowChange, Table};
use kassa_domain::{ReadSet, every_table};
use parking_lot::MutexGuard;
use rusqlite::Connection;

use super::checkpoint::WriteTurn;
use super::log_index::LogIndex;
use super::statements::{IndexedColumns, WriteStatements};
use super::{execute, load};
use crate::DecideFn;
use crate::cell::Cell;
use crate::error::StoreError;
use crate::rows::{MappedRow, RowKey as _};

/// Writes batches, one after the other.
pub struct SqliteWriter {
    /// Before the connection: the last that is closed tidies up, and this has one that only reads.
    log_index: Arc<LogIndex>,
    connection: Connection,
    statements: HashMap<&'static str, WriteStatements>,
    /// Where a thread moves the log, which sometimes needs a moment between two batches.
    turn: Option<WriteTurn>,
}

impl SqliteWriter {
    pub(super) fn new(connection: Connection, log_index: Arc<LogIndex>, turn: Option<WriteTurn>) -> Self {
        let mut texts = HashMap::new();
        macro_rules! collect {
            ($($field:ident: $row:ty,)*) => {
                $(texts.insert(<$row>::TABLE, WriteStatements::for_table::<$row>());)*
            };
        }
        every_table!(collect);
        Self { log_index, connection, statements: texts, turn }
    }

    pub(crate) fn transact(&mut self, read_set: &ReadSet, decide: &mut DecideFn<'_>) -> Result<(), StoreError> {
        let turn = self.turn.as_deref().map(|turn| turn.lock());
        let result = self.run_transaction(read_set, decide);
        // The next batch may follow at once: whoever waits for a moment between two is let in.
        if let Some(turn) = turn {
            MutexGuard::unlock_fair(turn);
        }
        result
    }

    fn run_transaction(&self, read_set: &ReadSet, decide: &mut DecideFn<'_>) -> Result<(), StoreError> {
        execute(&self.connection, "BEGIN IMMEDIATE")?;
        let result = self.run_batch(read_set, decide);
        if result.is_err() && !self.connection.is_autocommit() {
            execute(&self.connection, "ROLLBACK")?;
        }
        result
    }

    fn run_batch(&self, read_set: &ReadSet, decide: &mut DecideFn<'_>) -> Result<(), StoreError> {
        let mut view = load::load(&self.connection, read_set)?;
        decide(&mut view)?;
        if view.is_clean() {
            return execute(&self.connection, "ROLLBACK");
        }
        macro_rules! write {
            ($($field:ident: $row:ty,)*) => {
                $(self.write(&view.$field)?;)*
            };
        }
        let (changes, before) = (self.connection.total_changes(), self.log_index.header());
        every_table!(write);
        let has_written = self.connection.total_changes() > changes;
        execute(&self.connection, "COMMIT")?;
        if has_written {
            self.log_index.record_commit(before);
        }
        Ok(())
    }

    /// What goes, goes first, then what makes room, and new rows come last: a unique value may change hands within a
    /// batch.
    fn write<R: MappedRow>(&self, table: &Table<R>) -> Result<(), StoreError> {
        let changes = table.changes();
        if changes.is_empty() {
            return Ok(());
        }
        let texts =
            self.statements.get(R::TABLE).ok_or_else(|| StoreError::Corrupt(format!("no table {}", R::TABLE)))?;
        let (going, staying): (Vec<_>, Vec<_>) = changes.iter().partition(|change| change.row.is_none());
        let (coming, changing): (Vec<_>, Vec<_>) = staying.into_iter().partition(|change| change.version == 0);
        self.write_each(&texts.delete, going, guard_args)?;
        let mut changing: Vec<_> = changing.into_iter().map(|change| (changed_indexed(change), change)).collect();
        changing.sort_by_key(|(indexed, change)| (!change.row.is_some_and(Row::makes_room), *indexed));
        for alike in changing.chunk_by(|(one, _), (other, _)| one == other) {
            let indexed = alike[0].0;
            self.write_each(&texts.updates[indexed.0], alike.iter().map(|(_, change)| *change), |change, args| {
                if let Some(row) = change.row {
                    texts.write_row(row, args);
                    let mut written = indexed.written::<R>();
                    args.retain(|_| written.next() == Some(true));
                }
                guard_args(change, args);
            })?;
        }
        self.write_each(&texts.insert, coming, |change, args| {
            change.row.into_iter().for_each(|row| texts.write_row(row, args));
        })
    }

    /// Runs a statement for each change. It must meet exactly one row: the one that was loaded, as it was.
    fn write_each<'a, R: MappedRow>(
        &self,
        text: &str,
        changes: impl IntoIterator<Item = &'a RowChange<'a, R>>,
        args_of: impl Fn(&'a RowChange<'a, R>, &mut Vec<Cell<'a>>),
    ) -> Result<(), StoreError> {
        let mut changes = changes.into_iter().peekable();
        if changes.peek().is_none() {
            return Ok(());
        }
        let mut statement = self.connection.prepare_cached(text)?;
        let mut args = Vec::with_capacity(R::COLUMNS.len() + 1);
        for change in changes {
            args_of(change, &mut args);
            for (at, cell) in args.drain(..).enumerate() {
                statement.raw_bind_parameter(at + 1, cell)?;
            }
            if statement.raw_execute()? != 1 {
                return Err(StoreError::Conflict(format!("{} {:?}", R::TABLE, change.key)));
            }
        }
        Ok(())
    }
}

/// The indexed columns that a change of a row changes.
fn changed_indexed<R: MappedRow>(change: &RowChange<'_, R>) -> IndexedColumns {
    change.loaded.zip(change.row).map_or(IndexedColumns::all::<R>(), |(was, is)| IndexedColumns::changed(was, is))
}

/// What finds a row as it was loaded.
fn guard_args<'a, R: MappedRow>(change: &'a RowChange<'a, R>, args: &mut Vec<Cell<'a>>) {
    change.key.write(args);
    args.push(change.version.into());
}
