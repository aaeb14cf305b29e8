//! How each row lies in columns: written once, for all drivers.

pub(crate) mod accounts;
mod attachments;
pub(crate) mod catalogue;
mod deals;
mod idempotency;
mod mails;
mod maps;
pub(crate) mod orders;
mod promocodes;
mod promotions;
mod refunds;
mod seat_row_inventories;
mod system;
pub(crate) mod venues;

use kassa_domain::view::Row;
use kassa_domain::{Id, ShardTag};

use crate::cell::{Cell, RowReader};
use crate::driver_bounds::RowInMemory;
use crate::error::StoreError;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// A number: [`Cell::Int`].
    Int,
    /// A text: [`Cell::Text`].
    Text,
    /// A text that is JSON.
    Json,
    /// Bytes: [`Cell::Blob`].
    Blob,
}

/// What a column is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnRole {
    /// Identifies the row.
    Key,
    /// The shard tag: with the key, it identifies the row in a sharded database.
    Tag,
    /// Written once.
    Immutable,
    /// May change. Updates write these only, and touch no index of the others.
    Mutable,
}

/// A column.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub kind: ColumnKind,
    /// What it is for.
    pub role: ColumnRole,
}

/// What identifies a row.
pub trait RowKey: Send + Sync + 'static {
    /// Its values, in the order of the key columns.
    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>);

    /// The shard on which the row lies; `None` where the key does not say it.
    fn shard_tag(&self) -> Option<ShardTag> {
        None
    }
}

impl<K: 'static> RowKey for Id<K> {
    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        out.push(self.key().into());
    }

    fn shard_tag(&self) -> Option<ShardTag> {
        Some(self.tag())
    }
}

/// A row that lies in a table. Beside its columns every table has `version`, the guard.
pub trait MappedRow: Row<Key: RowKey> + RowInMemory + Send + Sync + 'static {
    /// The table.
    const TABLE: &'static str;
    /// Its columns, in the order of [`MappedRow::write`] and [`MappedRow::read`].
    const COLUMNS: &'static [Column];

    /// Whether rows hang on an event, and carry its tag.
    fn is_tagged() -> bool {
        Self::COLUMNS.iter().any(|column| column.role == ColumnRole::Tag)
    }

    /// Its values, in the order of the columns.
    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>);

    /// What it has in the column of this name; `None` where there is no such column.
    #[cfg(feature = "test-drivers")]
    fn cell(&self, column: &str) -> Option<Cell<'_>>;

    /// The row from its values, in the order of the columns.
    fn read(source: &mut dyn RowReader) -> Result<Self, StoreError>;
}

/// A row and its version, which stands behind its columns.
pub(crate) fn read_with_version<R: MappedRow>(source: &mut dyn RowReader) -> Result<(R, i64), StoreError> {
    let row = R::read(source)?;
    Ok((row, source.int()?))
}

/// About how long a row is, in bytes.
pub(crate) fn approximate_bytes<R: MappedRow>(row: &R) -> usize {
    let mut cells = Vec::with_capacity(R::COLUMNS.len());
    row.write(&mut cells);
    let bytes = cells.iter().map(|cell| match cell {
        Cell::Null | Cell::Int(_) => 8,
        Cell::Text(text) => text.len(),
        Cell::Blob(bytes) => bytes.len(),
    });
    bytes.sum()
}

/// A row in its table: one line for each column says what it is for, what it holds, its name, how it is read into a
/// variable, and what is written there. The row is made of the variables.
macro_rules! table {
    ($type:ty, $table:literal, |$row:ident, $source:ident| {
        $($role:ident $kind:ident $name:literal: $field:pat = $read:expr, $value:expr;)*
    } => $made:expr) => {
        impl $crate::rows::MappedRow for $type {
            const TABLE: &'static str = $table;
            const COLUMNS: &'static [$crate::rows::Column] = &[$($crate::rows::Column {
                name: $name,
                kind: $crate::rows::ColumnKind::$kind,
                role: $crate::rows::ColumnRole::$role,
            },)*];

            fn write<'a>(&'a self, out: &mut Vec<$crate::cell::Cell<'a>>) {
                let $row = self;
                out.extend([$($crate::cell::Cell::from($value),)*]);
            }

            fn read($source: &mut dyn $crate::cell::RowReader) -> Result<Self, $crate::error::StoreError> {
                $(let $field = $read;)*
                Ok($made)
            }

            #[cfg(feature = "test-drivers")]
            fn cell(&self, column: &str) -> Option<$crate::cell::Cell<'_>> {
                let $row = self;
                match column {
                    $($name => Some($crate::cell::Cell::from($value)),)*
                    _ => None,
                }
            }
        }
    };
}
use table;
