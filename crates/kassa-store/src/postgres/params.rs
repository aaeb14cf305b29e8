//! Values on their way to the database and back.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

use bytes::BytesMut;
use tokio_postgres::Row;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};

use crate::cell::{Cell, RowReader};
use crate::error::StoreError;

type ConversionError = Box<dyn Error + Sync + Send>;

impl ToSql for Cell<'_> {
    fn to_sql(&self, to: &Type, out: &mut BytesMut) -> Result<IsNull, ConversionError> {
        match (self, to) {
            (Self::Null, _) => Ok(IsNull::Yes),
            (Self::Int(value), &Type::INT8) => value.to_sql(to, out),
            (Self::Text(text), &Type::TEXT) => text.as_ref().to_sql(to, out),
            (Self::Blob(bytes), &Type::BYTEA) => bytes.as_ref().to_sql(to, out),
            (Self::Int(_) | Self::Text(_) | Self::Blob(_), other) => Err(format!("a {other} is wanted").into()),
        }
    }

    fn accepts(to: &Type) -> bool {
        matches!(*to, Type::INT8 | Type::TEXT | Type::BYTEA)
    }

    to_sql_checked!();
}

impl<'a> FromSql<'a> for Cell<'a> {
    fn from_sql(from: &Type, raw: &'a [u8]) -> Result<Self, ConversionError> {
        match *from {
            Type::INT8 => i64::from_sql(from, raw).map(Self::Int),
            Type::TEXT => <&str>::from_sql(from, raw).map(Self::from),
            Type::BYTEA => <&[u8]>::from_sql(from, raw).map(Self::from),
            ref other => Err(format!("a {other} is not expected").into()),
        }
    }

    fn from_sql_null(_: &Type) -> Result<Self, ConversionError> {
        Ok(Self::Null)
    }

    fn accepts(from: &Type) -> bool {
        <Self as ToSql>::accepts(from)
    }
}

/// A parameter of a statement. It is not shown: the driver would log it, and it may be a secret.
pub(super) enum Param<'a> {
    /// A value.
    One(Cell<'a>),
    /// An array, for `ANY` and `UNNEST`.
    Many(Vec<Cell<'a>>),
}

impl fmt::Debug for Param<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

impl<'a> Param<'a> {
    pub(super) fn one(cell: impl Into<Cell<'a>>) -> Self {
        Self::One(cell.into())
    }

    pub(super) fn many<C: Into<Cell<'a>>>(cells: impl IntoIterator<Item = C>) -> Self {
        Self::Many(cells.into_iter().map(Into::into).collect())
    }
}

impl ToSql for Param<'_> {
    fn to_sql(&self, to: &Type, out: &mut BytesMut) -> Result<IsNull, ConversionError> {
        match self {
            Self::One(cell) => cell.to_sql_checked(to, out),
            Self::Many(cells) => cells.to_sql_checked(to, out),
        }
    }

    fn accepts(to: &Type) -> bool {
        <Cell<'_> as ToSql>::accepts(to) || <Vec<Cell<'_>> as ToSql>::accepts(to)
    }

    to_sql_checked!();
}

/// The type of a value in a list's statement, where nothing else says it.
pub(super) fn sql_type_of(cell: &Cell<'_>) -> Type {
    match cell {
        Cell::Null | Cell::Int(_) => Type::INT8,
        Cell::Text(_) => Type::TEXT,
        Cell::Blob(_) => Type::BYTEA,
    }
}

/// A value to compare with. PostgreSQL has no text with a zero byte in it, and so none that is equal:
/// a control character, which no stored text has either, stands for it.
pub(super) fn without_zero_bytes(cell: Cell<'static>) -> Cell<'static> {
    match cell {
        Cell::Text(text) if text.contains('\0') => Cell::Text(Cow::Owned(text.replace('\0', "\u{1}"))),
        other @ (Cell::Null | Cell::Int(_) | Cell::Text(_) | Cell::Blob(_)) => other,
    }
}

/// A row, read from left to right.
pub(super) struct PostgresRowReader<'a> {
    row: &'a Row,
    at: usize,
}

impl<'a> PostgresRowReader<'a> {
    pub(super) fn new(row: &'a Row) -> Self {
        Self { row, at: 0 }
    }
}

impl RowReader for PostgresRowReader<'_> {
    fn next_cell(&mut self) -> Result<Cell<'_>, StoreError> {
        let cell = self.row.try_get(self.at).map_err(|error| StoreError::Corrupt(super::errors::error_text(&error)))?;
        self.at += 1;
        Ok(cell)
    }
}
