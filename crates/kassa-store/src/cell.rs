//! Values between rows and databases.

use std::borrow::Cow;

use crate::error::StoreError;

/// One value of one column.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cell<'a> {
    /// Nothing.
    Null,
    /// A number, a time in milliseconds, an amount in cents, a flag.
    Int(i64),
    /// Text, JSON included.
    Text(Cow<'a, str>),
    /// Bytes.
    Blob(Cow<'a, [u8]>),
}

impl Cell<'_> {
    /// The same value, borrowed.
    pub fn borrowed(&self) -> Cell<'_> {
        match self {
            Self::Null => Cell::Null,
            Self::Int(value) => Cell::Int(*value),
            Self::Text(text) => Cell::Text(Cow::Borrowed(text)),
            Self::Blob(bytes) => Cell::Blob(Cow::Borrowed(bytes)),
        }
    }

    /// The same value, which borrows nothing.
    pub fn into_owned<'a>(self) -> Cell<'a> {
        match self {
            Self::Null => Cell::Null,
            Self::Int(value) => Cell::Int(value),
            Self::Text(text) => Cell::Text(Cow::Owned(text.into_owned())),
            Self::Blob(bytes) => Cell::Blob(Cow::Owned(bytes.into_owned())),
        }
    }
}

impl From<i64> for Cell<'_> {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}
impl From<bool> for Cell<'_> {
    fn from(value: bool) -> Self {
        Self::Int(i64::from(value))
    }
}
impl<'a> From<&'a str> for Cell<'a> {
    fn from(value: &'a str) -> Self {
        Self::Text(Cow::Borrowed(value))
    }
}
impl From<String> for Cell<'_> {
    fn from(value: String) -> Self {
        Self::Text(Cow::Owned(value))
    }
}
impl<'a> From<&'a [u8]> for Cell<'a> {
    fn from(value: &'a [u8]) -> Self {
        Self::Blob(Cow::Borrowed(value))
    }
}
impl<'a, T: Into<Cell<'a>>> From<Option<T>> for Cell<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// In place of a value that follows from others.
#[derive(Clone, Copy, Debug)]
pub struct DerivedColumn;

/// A row as a database gives it, read from left to right.
pub trait RowReader {
    /// The next column.
    fn next_cell(&mut self) -> Result<Cell<'_>, StoreError>;

    /// The next column, which is of the kind [`ColumnKind::Compressed`](crate::rows::ColumnKind::Compressed): its bytes as they were
    /// given to the driver.
    fn next_compressed(&mut self) -> Result<Cell<'_>, StoreError> {
        self.next_cell()
    }
}

/// Reads of columns by what they must hold.
impl dyn RowReader + '_ {
    /// A column that follows from others: there for searching, and not for reading.
    pub fn derived(&mut self) -> Result<DerivedColumn, StoreError> {
        self.next_cell().map(|_| DerivedColumn)
    }

    /// A number, or nothing.
    pub fn int_or_null(&mut self) -> Result<Option<i64>, StoreError> {
        match self.next_cell()? {
            Cell::Null => Ok(None),
            Cell::Int(value) => Ok(Some(value)),
            other @ (Cell::Text(_) | Cell::Blob(_)) => Err(column_type_error("a number", &other)),
        }
    }

    /// A number.
    pub fn int(&mut self) -> Result<i64, StoreError> {
        self.int_or_null()?.ok_or_else(|| column_type_error("a number", &Cell::Null))
    }

    /// A number that fits a smaller type.
    pub fn int_as<T: TryFrom<i64>>(&mut self) -> Result<T, StoreError> {
        let value = self.int()?;
        T::try_from(value).map_err(|_| column_type_error("a smaller number", &Cell::Int(value)))
    }

    /// A flag.
    pub fn flag(&mut self) -> Result<bool, StoreError> {
        Ok(self.int()? != 0)
    }

    /// Text, or nothing.
    pub fn text_or_null(&mut self) -> Result<Option<String>, StoreError> {
        match self.next_cell()? {
            Cell::Null => Ok(None),
            Cell::Text(value) => Ok(Some(value.into_owned())),
            other @ (Cell::Int(_) | Cell::Blob(_)) => Err(column_type_error("text", &other)),
        }
    }

    /// Text.
    pub fn text(&mut self) -> Result<String, StoreError> {
        self.text_or_null()?.ok_or_else(|| column_type_error("text", &Cell::Null))
    }

    /// Text that parses.
    pub fn parse<T: std::str::FromStr>(&mut self) -> Result<T, StoreError> {
        let text = self.text()?;
        text.parse().map_err(|_| column_type_error("a well-formed text", &Cell::from(text.as_str())))
    }

    /// JSON.
    pub fn json<T: serde::de::DeserializeOwned>(&mut self) -> Result<T, StoreError> {
        match self.next_cell()? {
            Cell::Text(text) => serde_json::from_str(&text).map_err(|error| StoreError::Corrupt(error.to_string())),
            other @ (Cell::Null | Cell::Int(_) | Cell::Blob(_)) => Err(column_type_error("JSON", &other)),
        }
    }

    /// JSON, or nothing.
    pub fn json_or_null<T: serde::de::DeserializeOwned>(&mut self) -> Result<Option<T>, StoreError> {
        let text = self.text_or_null()?;
        let parsed = text.map(|text| serde_json::from_str(&text)).transpose();
        parsed.map_err(|error| StoreError::Corrupt(error.to_string()))
    }

    /// Bytes, or nothing.
    pub fn blob_or_null(&mut self) -> Result<Option<Vec<u8>>, StoreError> {
        match self.next_cell()? {
            Cell::Null => Ok(None),
            Cell::Blob(value) => Ok(Some(value.into_owned())),
            other @ (Cell::Int(_) | Cell::Text(_)) => Err(column_type_error("bytes", &other)),
        }
    }

    /// Bytes.
    pub fn blob(&mut self) -> Result<Vec<u8>, StoreError> {
        self.blob_or_null()?.ok_or_else(|| column_type_error("bytes", &Cell::Null))
    }

    /// Bytes of a column that is compressed.
    pub fn compressed(&mut self) -> Result<Vec<u8>, StoreError> {
        match self.next_compressed()? {
            Cell::Blob(value) => Ok(value.into_owned()),
            other @ (Cell::Null | Cell::Int(_) | Cell::Text(_)) => Err(column_type_error("bytes", &other)),
        }
    }

    /// Thirty-two bytes.
    pub fn hash(&mut self) -> Result<[u8; 32], StoreError> {
        let bytes = self.blob()?;
        bytes.as_slice().try_into().map_err(|_| column_type_error("32 bytes", &Cell::from(bytes.as_slice())))
    }
}

fn column_type_error(wanted: &str, found: &Cell<'_>) -> StoreError {
    let found = match found {
        Cell::Null => "nothing".to_owned(),
        Cell::Int(value) => value.to_string(),
        Cell::Text(_) => "text".to_owned(),
        Cell::Blob(bytes) => format!("{} bytes", bytes.len()),
    };
    StoreError::Corrupt(format!("a column holds {found} in place of {wanted}"))
}

/// As a JSON column.
pub fn json_cell<T: serde::Serialize>(value: &T) -> Cell<'static> {
    // The stored parts of rows are plain structs with text keys: they always serialize.
    serde_json::to_string(value).map_or(Cell::Null, Cell::from)
}
