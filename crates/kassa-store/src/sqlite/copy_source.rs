//! A database that is read from its beginning to its end, while nobody may change it.

use std::path::Path;

use kassa_domain::change::{AudienceEntry, FeedHead};
use rusqlite::{Connection, params_from_iter};

use super::statements::WriteStatements;
use super::{SqliteRowReader, connect, execute, query_rows, query_text};
use crate::cell::Cell;
use crate::error::StoreError;
use crate::lists::Statement;
use crate::row_scan::ScanOrder;
use crate::rows::{MappedRow, approximate_bytes, column_list, read_with_version};

/// A database that stays as it is as long as this lives: others read it, and wait when they write.
pub struct SqliteCopySource {
    connection: Connection,
}

impl SqliteCopySource {
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let connection = connect(path, false)?;
        execute(&connection, "BEGIN IMMEDIATE")?;
        let source = Self { connection };
        source.list_waiting_entries()?;
        Ok(source)
    }

    /// Puts the entries of the feed that wait into their index, in the transaction, which is never committed: a program that works
    /// on the copy may be older, and knows of no other place for them.
    fn list_waiting_entries(&self) -> Result<(), StoreError> {
        let mut waiting = Vec::new();
        self.each_row(|head: FeedHead, _| waiting.extend(head.waiting))?;
        let insert = WriteStatements::for_table::<AudienceEntry>();
        let mut statement = self.connection.prepare(&insert.insert)?;
        for entry in &waiting {
            let mut cells = Vec::new();
            insert.write_row(entry, &mut cells);
            statement.execute(params_from_iter(cells))?;
        }
        self.connection.execute("UPDATE feed_heads SET waiting = NULL", ())?;
        Ok(())
    }

    /// How many rows a table has.
    pub(crate) fn count<R: MappedRow>(&self) -> Result<u64, StoreError> {
        let mut count = 0;
        query_text(&self.connection, &format!("SELECT count(*) FROM {}", R::TABLE), &[], &mut |source| {
            count = source.int_as()?;
            Ok(())
        })?;
        Ok(count)
    }

    /// Rows with their versions, by key, from behind this key on, or from the first: as many as this, or fewer
    /// where they are long. There are none behind the last.
    pub(crate) fn page<R: MappedRow>(
        &self,
        after: &[Cell<'_>],
        rows_max: usize,
        bytes_max: usize,
    ) -> Result<Vec<(R, i64)>, StoreError> {
        let Statement { text, args } = ScanOrder::Key.statement::<R>(&column_list::<R>(), after, rows_max);
        let (mut rows, mut bytes) = (Vec::new(), 0);
        let mut statement = self.connection.prepare_cached(&text.replace('$', "?"))?;
        for (at, cell) in args.iter().enumerate() {
            statement.raw_bind_parameter(at + 1, cell)?;
        }
        let mut found = statement.raw_query();
        while bytes < bytes_max
            && let Some(row) = found.next()?
        {
            let (row, version) = read_with_version::<R>(&mut SqliteRowReader::new(row))?;
            bytes += approximate_bytes(&row);
            rows.push((row, version));
        }
        Ok(rows)
    }

    /// Gives every row of a table with its version, in no order.
    pub(crate) fn each_row<R: MappedRow>(&self, give: impl FnMut(R, i64)) -> Result<(), StoreError> {
        query_rows(&self.connection, &format!("SELECT {} FROM {}", column_list::<R>(), R::TABLE), &[], give)
    }
}
