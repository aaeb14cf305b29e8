//! Rows as CSV (RFC 4180).

use super::{EXPORT_COLUMNS, ExportCell, ExportRow};

/// Signs that make spreadsheets take a text for a formula, when it begins with them.
const FORMULA_STARTS: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// A table as it grows, with a line of names on top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CsvWriter(String);

impl Default for CsvWriter {
    fn default() -> Self {
        Self::with_columns(&EXPORT_COLUMNS)
    }
}

impl CsvWriter {
    /// A table with these columns, and without rows.
    pub fn with_columns(names: &[&str]) -> Self {
        let mut csv = Self(String::new());
        csv.write_line(names.iter().map(|name| (*name).to_owned()));
        csv
    }

    /// Adds an order.
    pub fn push(&mut self, row: &ExportRow) {
        self.push_cells(&row.0);
    }

    /// Adds a row. A text that people have typed is never a formula: before what would make one stands `'`.
    pub fn push_cells(&mut self, cells: &[ExportCell]) {
        self.write_line(cells.iter().map(|cell| match cell {
            ExportCell::Empty => String::new(),
            ExportCell::Number(number) => number.to_string(),
            ExportCell::Text(text) if text.starts_with(FORMULA_STARTS) => format!("'{text}"),
            ExportCell::Text(text) => text.clone(),
        }));
    }

    fn write_line(&mut self, cells: impl Iterator<Item = String>) {
        for (at, cell) in cells.enumerate() {
            if at > 0 {
                self.0.push(',');
            }
            self.write_cell(&cell);
        }
        self.0.push_str("\r\n");
    }

    fn write_cell(&mut self, text: &str) {
        let is_plain = !text.contains([',', '"', '\r', '\n']) && text.trim() == text;
        if is_plain {
            self.0.push_str(text);
        } else {
            self.0.push('"');
            self.0.push_str(&text.replace('"', "\"\""));
            self.0.push('"');
        }
    }

    /// What is written so far, in bytes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nothing is left to take.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes what is written so far; what comes is more of the same table.
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> String {
        let mut row = ExportRow(std::array::from_fn(|_| ExportCell::Empty));
        row.0[1] = ExportCell::Text(text.to_owned());
        let mut csv = CsvWriter::default();
        csv.take();
        csv.push(&row);
        csv.take()
    }

    #[test]
    fn texts_are_quoted_where_they_must_be() {
        let rest = ",".repeat(EXPORT_COLUMNS.len() - 2);
        for (text, cell) in [
            ("plain text", "plain text"),
            ("one, two", "\"one, two\""),
            ("the \"one\"", "\"the \"\"one\"\"\""),
            ("two\r\nlines", "\"two\r\nlines\""),
            (" blank", "\" blank\""),
            ("Ж", "Ж"),
            ("", ""),
        ] {
            assert_eq!(written(text), format!(",{cell}{rest}\r\n"), "{text:?}");
        }
    }

    #[test]
    fn texts_cannot_become_formulas() {
        let rest = ",".repeat(EXPORT_COLUMNS.len() - 2);
        for (text, cell) in [
            ("=1+1", "'=1+1"),
            ("+49 30", "'+49 30"),
            ("-1", "'-1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "'\t=1"),
            ("=HYPERLINK(\"x\",1)", "\"'=HYPERLINK(\"\"x\"\",1)\""),
            ("1=1", "1=1"),
        ] {
            assert_eq!(written(text), format!(",{cell}{rest}\r\n"), "{text:?}");
        }
    }

    #[test]
    fn numbers_are_written_unquoted() {
        let mut csv = CsvWriter::default();
        assert!(csv.take().starts_with("number,id,status,"));
        csv.push(&ExportRow(std::array::from_fn(|_| ExportCell::Number(-7))));
        assert!(csv.take().starts_with("-7,-7,"));
        assert!(csv.is_empty());
    }
}
