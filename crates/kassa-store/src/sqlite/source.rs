//! A database that is read from its beginning to its end, while nobody may change it.

use std::path::Path;

use rusqlite::Connection;

use super::{RowSource, connect, each, rows_of, run};
use crate::cell::Cell;
use crate::error::StoreError;
use crate::queries::{Statement, column_list};
use crate::rows::{Mapped, bytes_of, versioned};
use crate::scanning::Order;

/// A database that stays as it is as long as this lives: others read it, and wait when they write.
pub struct SqliteSource {
    connection: Connection,
}

impl SqliteSource {
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let connection = connect(path, false)?;
        run(&connection, "BEGIN IMMEDIATE")?;
        Ok(Self { connection })
    }

    /// How many rows a table has.
    pub(crate) fn count<R: Mapped>(&self) -> Result<u64, StoreError> {
        let mut count = 0;
        each(&self.connection, &format!("SELECT count(*) FROM {}", R::TABLE), &[], |source| {
            count = source.small()?;
            Ok(())
        })?;
        Ok(count)
    }

    /// Rows with their versions, by key, from behind this key on, or from the first: as many as this, or fewer
    /// where they are long. There are none behind the last.
    pub(crate) fn page<R: Mapped>(
        &self,
        after: &[Cell<'_>],
        rows_max: usize,
        bytes_max: usize,
    ) -> Result<Vec<(R, i64)>, StoreError> {
        let Statement { text, args } = Order::Key.statement::<R>(&column_list::<R>(), after, rows_max);
        let (mut rows, mut bytes) = (Vec::new(), 0);
        let mut statement = self.connection.prepare_cached(&text.replace('$', "?"))?;
        for (at, cell) in args.iter().enumerate() {
            statement.raw_bind_parameter(at + 1, cell)?;
        }
        let mut found = statement.raw_query();
        while bytes < bytes_max
            && let Some(row) = found.next()?
        {
            let (row, version) = versioned::<R>(&mut RowSource { row, at: 0 })?;
            bytes += bytes_of(&row);
            rows.push((row, version));
        }
        Ok(rows)
    }

    /// Gives every row of a table with its version, in no order.
    pub(crate) fn every<R: Mapped>(&self, give: impl FnMut(R, i64)) -> Result<(), StoreError> {
        rows_of(&self.connection, &format!("SELECT {} FROM {}", column_list::<R>(), R::TABLE), &[], give)
    }
}
