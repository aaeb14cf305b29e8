//! How each row lies in columns: written once, for all drivers.

pub(crate) mod accounts;
mod answers;
mod attachments;
mod benches;
pub(crate) mod catalogue;
mod deals;
mod house;
mod mails;
mod maps;
pub(crate) mod orders;
mod promocodes;
mod promotions;
mod refunds;
pub(crate) mod venues;

use kassa_domain::view::Row;
use kassa_domain::{Id, Tag};

use crate::cell::{Cell, Source};
use crate::error::StoreError;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
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
pub enum Part {
    /// Identifies the row.
    Key,
    /// The shard tag: with the key, it identifies the row in a sharded database.
    Tag,
    /// Written once.
    Fixed,
    /// May change. Updates write these only, and touch no index of the others.
    Free,
}

/// A column.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// What it is for.
    pub part: Part,
}

/// What identifies a row.
pub trait Key: Send + Sync + 'static {
    /// Its values, in the order of the key columns.
    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>);

    /// The shard on which the row lies; `None` where the key does not say it.
    fn shard(&self) -> Option<Tag> {
        None
    }
}

impl<K: 'static> Key for Id<K> {
    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        out.push(self.key().into());
    }

    fn shard(&self) -> Option<Tag> {
        Some(self.tag())
    }
}

/// A row that lies in a table. Beside its columns every table has `version`, the guard.
pub trait Mapped: Row<Key: Key> + Send + Sync + 'static {
    /// The table.
    const TABLE: &'static str;
    /// Its columns, in the order of [`Mapped::write`] and [`Mapped::read`].
    const COLUMNS: &'static [Column];

    /// Its values, in the order of the columns.
    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>);

    /// The row from its values, in the order of the columns.
    fn read(source: &mut dyn Source) -> Result<Self, StoreError>;

    /// What no other row of the table may have, too, besides the key; for the memory driver, which
    /// has no constraints of its own.
    fn uniques(&self) -> Vec<String> {
        Vec::new()
    }

    /// Whether the row keeps to the table's CHECK constraints; for the memory driver.
    fn checks(&self) -> bool {
        true
    }
}

/// A row and its version, which stands behind its columns.
pub(crate) fn versioned<R: Mapped>(source: &mut dyn Source) -> Result<(R, i64), StoreError> {
    let row = R::read(source)?;
    Ok((row, source.int()?))
}

/// About how long a row is, in bytes.
pub(crate) fn bytes_of<R: Mapped>(row: &R) -> usize {
    let mut cells = Vec::with_capacity(R::COLUMNS.len());
    row.write(&mut cells);
    let bytes = cells.iter().map(|cell| match cell {
        Cell::Null | Cell::Int(_) => 8,
        Cell::Text(text) => text.len(),
        Cell::Blob(bytes) => bytes.len(),
    });
    bytes.sum()
}

macro_rules! columns {
    ($($part:ident $kind:ident $name:literal,)*) => {
        &[$($crate::rows::Column {
            name: $name,
            kind: $crate::rows::Kind::$kind,
            part: $crate::rows::Part::$part,
        },)*]
    };
}
use columns;
