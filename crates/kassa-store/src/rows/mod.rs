//! How a row lies in columns: the traits of rows, and the macro by which `tables/` declares them.

use kassa_domain::change::BatchId;
use kassa_domain::suspension::Suspension;
use kassa_domain::view::Row;
use kassa_domain::{Id, ShardTag, Timestamp};

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
    /// Bytes that repeat themselves. SQLite's driver stores them compressed; PostgreSQL does that by itself.
    Compressed,
}

/// What a column is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnRole {
    /// Identifies the row.
    Key,
    /// The same, and also says on which shard of a sharded database it lies.
    ShardKey,
    /// The shard tag: with the key, it identifies the row in a sharded database.
    Tag,
    /// Written once.
    Immutable,
    /// May change. Updates write these only, and touch no index of the others.
    Mutable,
    /// May change, and often does not when others do, and is what indexes find rows by, or choose them by. SQLite writes
    /// the entries of an index anew for a column that an update names, whatever was there.
    Indexed,
}

impl ColumnRole {
    /// Whether it identifies the row.
    pub fn is_key(self) -> bool {
        matches!(self, Self::Key | Self::ShardKey)
    }

    /// Whether updates may write it.
    pub(crate) fn is_mutable(self) -> bool {
        matches!(self, Self::Mutable | Self::Indexed)
    }
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

    /// Whether rows belong to an event, and carry its tag.
    fn is_tagged() -> bool {
        Self::COLUMNS.iter().any(|column| column.role == ColumnRole::Tag)
    }

    /// The column that says on which shard of a sharded database a row lies: `tag`, or the number of the lane whose row
    /// it is; `None` where all rows are in one place, or in all.
    fn shard_column() -> Option<&'static str> {
        let of_shard = |column: &&Column| matches!(column.role, ColumnRole::Tag | ColumnRole::ShardKey);
        Self::COLUMNS.iter().find(of_shard).map(|column| column.name)
    }

    /// Its values, in the order of the columns.
    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>);

    /// What it has in the column of this name; `None` where there is no such column.
    #[cfg(feature = "test-drivers")]
    fn cell(&self, column: &str) -> Option<Cell<'_>>;

    /// What it has in its columns of the role [`ColumnRole::Indexed`], in their order.
    fn write_indexed<'a>(&'a self, out: &mut Vec<Cell<'a>>);

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

/// The columns of a table, and `version`, as a SELECT lists them.
pub(crate) fn column_list<R: MappedRow>() -> String {
    let mut names: Vec<&str> = R::COLUMNS.iter().map(|column| column.name).collect();
    names.push("version");
    names.join(", ")
}

/// The names of the key columns.
pub(crate) fn key_columns<R: MappedRow>() -> impl Iterator<Item = &'static str> {
    R::COLUMNS.iter().filter(|column| column.role.is_key()).map(|column| column.name)
}

/// A text in small letters: what names are searched by.
pub(crate) fn fold_case(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// A column that is a shard tag.
pub(crate) fn read_tag(source: &mut dyn RowReader) -> Result<ShardTag, StoreError> {
    let raw = source.int()?;
    ShardTag::from_i64(raw).ok_or_else(|| StoreError::Corrupt(format!("tag {raw}")))
}

/// A column that is a time, or nothing.
pub(crate) fn read_time_or_null(source: &mut dyn RowReader) -> Result<Option<Timestamp>, StoreError> {
    Ok(source.int_or_null()?.map(Timestamp::from_ms))
}

/// Two columns that are a suspension: since when, and why.
pub(crate) fn suspension(since: Option<Timestamp>, reason: Option<String>) -> Option<Suspension> {
    since.map(|since| Suspension { since, reason })
}

/// A column that is a time.
pub(crate) fn read_time(source: &mut dyn RowReader) -> Result<Timestamp, StoreError> {
    source.int().map(Timestamp::from_ms)
}

/// A column that names a batch, or nothing.
pub(crate) fn read_batch_id(source: &mut dyn RowReader) -> Result<Option<BatchId>, StoreError> {
    let Some(packed) = source.blob_or_null()? else { return Ok(None) };
    postcard::from_bytes(&packed)
        .map(Some)
        .map_err(|error| StoreError::Corrupt(format!("the name of a batch: {error}")))
}

/// The name of a batch as it lies in a column: some bytes, as most parts are small numbers.
pub(crate) fn batch_id_cell(batch: Option<BatchId>) -> Cell<'static> {
    // Numbers always serialize.
    let packed = batch.and_then(|batch| postcard::to_allocvec(&batch).ok());
    packed.map_or(Cell::Null, |packed| Cell::Blob(packed.into()))
}

/// A row in its table: one line for each column says what it is for, what it holds, its name, how it is read into a
/// variable, and what is written there. The row is made of the variables.
///
/// Behind it stands what the table refuses, for the memory driver: `unique`, texts that no two rows may share, for its
/// UNIQUE constraints besides the key; and `check`, what its CHECK constraints ask of a row.
macro_rules! table {
    ($type:ty, $table:literal, |$row:ident, $source:ident| {
        $($role:ident $kind:ident $name:literal: $field:pat = $read:expr, $value:expr;)*
    } => $made:expr $(, unique $unique:expr)? $(, check $check:expr)?) => {
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

            fn write_indexed<'a>(&'a self, _out: &mut Vec<$crate::cell::Cell<'a>>) {
                let $row = self;
                let _ = $row;
                $($crate::rows::write_if_indexed!($role, _out, $value);)*
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

        #[cfg(feature = "test-drivers")]
        impl $crate::memory_tables::RowConstraints for $type {
            $(fn unique_values(&self) -> Vec<String> {
                let $row = self;
                $unique
            })?

            $(fn satisfies_checks(&self) -> bool {
                let $row = self;
                $check
            })?
        }
    };
}
pub(crate) use table;

/// Writes the value of a column of that role.
macro_rules! write_if_indexed {
    (Indexed, $out:ident, $value:expr) => {
        $out.push($crate::cell::Cell::from($value))
    };
    ($role:ident, $out:ident, $value:expr) => {};
}
pub(crate) use write_if_indexed;
