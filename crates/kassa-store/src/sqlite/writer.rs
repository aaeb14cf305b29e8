//! The one connection that writes.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kassa_domain::view::{Change, Table};
use kassa_domain::{Needs, every_table};
use rusqlite::Connection;

use super::statements::Texts;
use super::{load, run};
use crate::Decide;
use crate::cell::Cell;
use crate::error::StoreError;
use crate::rows::{Mapped, Part};

/// Writes batches, one after the other.
pub struct SqliteWriter {
    connection: Connection,
    texts: HashMap<&'static str, Texts>,
    /// Set when the log has grown so long that it should be moved between two batches.
    checkpoint_due: Option<Arc<AtomicBool>>,
}

impl SqliteWriter {
    pub(super) fn new(connection: Connection, checkpoint_due: Option<Arc<AtomicBool>>) -> Self {
        let mut texts = HashMap::new();
        macro_rules! collect {
            ($($field:ident: $row:ty,)*) => {
                $(texts.insert(<$row>::TABLE, Texts::of::<$row>());)*
            };
        }
        every_table!(collect);
        Self { connection, texts, checkpoint_due }
    }

    pub(crate) fn transact(&mut self, needs: &Needs, decide: &mut Decide<'_>) -> Result<(), StoreError> {
        self.finish_checkpoint()?;
        run(&self.connection, "BEGIN IMMEDIATE")?;
        let result = self.inside(needs, decide);
        if result.is_err() && !self.connection.is_autocommit() {
            run(&self.connection, "ROLLBACK")?;
        }
        result
    }

    fn inside(&self, needs: &Needs, decide: &mut Decide<'_>) -> Result<(), StoreError> {
        let mut view = load::load(&self.connection, needs)?;
        decide(&mut view)?;
        if view.is_clean() {
            return run(&self.connection, "ROLLBACK");
        }
        macro_rules! write {
            ($($field:ident: $row:ty,)*) => {
                $(self.write(&view.$field)?;)*
            };
        }
        every_table!(write);
        run(&self.connection, "COMMIT")
    }

    fn write<R: Mapped>(&self, table: &Table<R>) -> Result<(), StoreError> {
        let changes = table.changes();
        if changes.is_empty() {
            return Ok(());
        }
        let texts = self.texts.get(R::TABLE).ok_or_else(|| StoreError::Corrupt(format!("no table {}", R::TABLE)))?;
        // What goes, goes first: a unique value may change hands within a batch.
        for change in changes.iter().filter(|change| change.row.is_none()) {
            let mut args = Vec::with_capacity(3);
            R::write_key(&change.key, &mut args);
            args.push(change.version.into());
            self.guarded(&texts.delete, &args, change)?;
        }
        for change in &changes {
            let Some(row) = change.row else { continue };
            let mut cells = Vec::with_capacity(R::COLUMNS.len() + 2);
            row.write(&mut cells);
            if change.version == 0 {
                self.execute(&texts.insert, &cells)?;
                continue;
            }
            let mut args = Vec::with_capacity(cells.len());
            args.extend(
                cells.into_iter().zip(R::COLUMNS).filter(|(_, column)| column.part == Part::Free).map(|(cell, _)| cell),
            );
            R::write_key(&change.key, &mut args);
            args.push(change.version.into());
            self.guarded(&texts.update, &args, change)?;
        }
        Ok(())
    }

    /// Runs a statement that must meet exactly one row: the one that was loaded, as it was.
    fn guarded<R: Mapped>(&self, text: &str, args: &[Cell<'_>], change: &Change<'_, R>) -> Result<(), StoreError> {
        match self.execute(text, args)? {
            1 => Ok(()),
            _ => Err(StoreError::Conflict(format!("{} {:?}", R::TABLE, change.key))),
        }
    }

    fn execute(&self, text: &str, args: &[Cell<'_>]) -> Result<usize, StoreError> {
        let mut statement = self.connection.prepare_cached(text)?;
        for (at, cell) in args.iter().enumerate() {
            statement.raw_bind_parameter(at + 1, cell)?;
        }
        Ok(statement.raw_execute()?)
    }

    /// Under constant load the checkpointer never reaches the end of the log, because it grows
    /// meanwhile. Here nothing is being written: what is left is little, and the next batch starts
    /// the log anew.
    fn finish_checkpoint(&self) -> Result<(), StoreError> {
        let Some(due) = &self.checkpoint_due else { return Ok(()) };
        if due.swap(false, Ordering::Relaxed) {
            super::checkpoint::passive(&self.connection)?;
        }
        Ok(())
    }
}
