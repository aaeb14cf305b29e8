//! Rows as they lie in a database, for whoever looks whether it is as this program writes it. Each is read by itself:
//! one that cannot be read hides no other.

use crate::cell::{Cell, RowReader};
use crate::error::StoreError;
use crate::lists::Statement;
#[cfg(feature = "test-drivers")]
use crate::rows::RowKey as _;
use crate::rows::{ColumnKind, ColumnRole, MappedRow, key_columns};

/// A row, and what is odd about it.
#[derive(Clone, Debug)]
pub struct ScannedRow<R> {
    /// Where it lies: the next scan begins behind it.
    pub cursor: RowCursor,
    /// The row, or why it cannot be read.
    pub row: Result<R, StoreError>,
    /// Columns that hold something else than what the row makes of them: some are there for searching, and repeat
    /// what others say.
    pub mismatches: Vec<ColumnMismatch>,
}

/// The columns by which rows are scanned, as they are in one row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowCursor(Vec<Cell<'static>>);

/// A column that does not say what its row says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnMismatch {
    /// Its name.
    pub column: &'static str,
    /// What the row makes of it.
    pub expected: String,
    /// What it holds.
    pub found: String,
}

/// By which columns a database finds rows in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScanOrder {
    /// By the key.
    Key,
    /// By the tag, where there is one, and the key.
    TagAndKey,
}

impl ScanOrder {
    /// The columns, in their order.
    fn columns<R: MappedRow>(self) -> Vec<&'static str> {
        let tag = R::COLUMNS.iter().filter(|column| column.role == ColumnRole::Tag).map(|column| column.name);
        match self {
            Self::Key => key_columns::<R>().collect(),
            Self::TagAndKey => tag.chain(key_columns::<R>()).collect(),
        }
    }

    /// The statement that gives the next rows, from behind a place on or from the first.
    pub(crate) fn statement<R: MappedRow>(self, columns: &str, after: &[Cell<'_>], limit: usize) -> Statement {
        let names = self.columns::<R>().join(", ");
        let marks: Vec<String> = (1..=after.len()).map(|at| format!("${at}")).collect();
        let behind = format!(" WHERE ({names}) > ({})", marks.join(", "));
        let condition = if after.is_empty() { "" } else { &behind };
        let text = format!("SELECT {columns} FROM {}{condition} ORDER BY {names} LIMIT {limit}", R::TABLE);
        Statement { text, args: after.iter().map(|cell| cell.borrowed().into_owned()).collect() }
    }

    /// The rows that follow a place, without their versions.
    pub(crate) fn rows_after<R: MappedRow>(self, after: Option<&RowCursor>, limit: usize) -> Statement {
        let names: Vec<&str> = R::COLUMNS.iter().map(|column| column.name).collect();
        self.statement::<R>(&names.join(", "), after.map_or(&[], |place| &place.0), limit)
    }

    /// A row as such a statement gives it.
    pub(crate) fn read_row<R: MappedRow>(self, source: &mut dyn RowReader) -> Result<ScannedRow<R>, StoreError> {
        let (mut cells, mut unreadable) = (Vec::with_capacity(R::COLUMNS.len()), None);
        for column in R::COLUMNS {
            cells.push(match column.kind {
                // No key is compressed: the row has its place, whatever is in there.
                ColumnKind::Compressed => {
                    let cell = source.next_compressed().map(Cell::into_owned);
                    cell.map_err(|error| unreadable = Some(error)).unwrap_or(Cell::Null)
                }
                ColumnKind::Int | ColumnKind::Text | ColumnKind::Json | ColumnKind::Blob => {
                    source.next_cell()?.into_owned()
                }
            });
        }
        let row = unreadable.map_or_else(|| R::read(&mut CellsReader { cells: &cells, at: 0 }), Err);
        let mismatches = row.as_ref().map(|row| column_mismatches(row, &cells)).unwrap_or_default();
        Ok(ScannedRow { cursor: self.cursor_of::<R>(&cells), row, mismatches })
    }

    fn cursor_of<R: MappedRow>(self, cells: &[Cell<'static>]) -> RowCursor {
        let cell = |name: &str| R::COLUMNS.iter().zip(cells).find(|(column, _)| column.name == name);
        let found = self.columns::<R>().into_iter().filter_map(cell);
        RowCursor(found.map(|(_, cell)| cell.clone()).collect())
    }
}

#[cfg(feature = "test-drivers")]
impl<R: MappedRow> ScannedRow<R> {
    /// A row that lies in no columns.
    pub(crate) fn from_row(row: R) -> Self {
        let mut cells = Vec::new();
        let key = row.key();
        key.write(&mut cells);
        let place = RowCursor(cells.into_iter().map(Cell::into_owned).collect());
        Self { cursor: place, row: Ok(row), mismatches: Vec::new() }
    }
}

impl std::fmt::Display for RowCursor {
    /// The inside form: what stands in the columns.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let cells: Vec<String> = self.0.iter().map(display_cell).collect();
        f.write_str(&cells.join("/"))
    }
}

/// Texts that are JSON may be spelled in several ways, as by the program that wrote the row: they are not compared.
fn column_mismatches<R: MappedRow>(row: &R, found: &[Cell<'static>]) -> Vec<ColumnMismatch> {
    let mut expected = Vec::with_capacity(found.len());
    row.write(&mut expected);
    let mut mismatches = Vec::new();
    for ((column, expected), found) in R::COLUMNS.iter().zip(&expected).zip(found) {
        if column.kind != ColumnKind::Json && expected != found {
            mismatches.push(ColumnMismatch {
                column: column.name,
                expected: display_cell(expected),
                found: display_cell(found),
            });
        }
    }
    mismatches
}

fn display_cell(cell: &Cell<'_>) -> String {
    match cell {
        Cell::Null => "nothing".to_owned(),
        Cell::Int(value) => value.to_string(),
        Cell::Text(text) => format!("{text:?}"),
        Cell::Blob(bytes) => format!("{bytes:02x?}"),
    }
}

/// Cells that were read already.
struct CellsReader<'a> {
    cells: &'a [Cell<'static>],
    at: usize,
}

impl RowReader for CellsReader<'_> {
    fn next_cell(&mut self) -> Result<Cell<'_>, StoreError> {
        let cell = self.cells.get(self.at).ok_or_else(|| StoreError::Corrupt("too few columns".to_owned()))?;
        self.at += 1;
        Ok(cell.borrowed())
    }
}
