//! Rows as CSV (RFC 4180).

use super::{COLUMNS, Cell, Row};

/// Signs that make spreadsheets take a text for a formula, when it begins with them.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// A table as it grows, with a line of names on top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Csv(String);

impl Default for Csv {
    fn default() -> Self {
        let mut csv = Self(String::new());
        csv.line(COLUMNS.iter().map(|name| (*name).to_owned()));
        csv
    }
}

impl Csv {
    /// Adds a row. A text that people have typed is never a formula: before what would make one stands `'`.
    pub fn push(&mut self, row: &Row) {
        self.line(row.0.iter().map(|cell| match cell {
            Cell::Nothing => String::new(),
            Cell::Number(number) => number.to_string(),
            Cell::Text(text) if text.starts_with(FORMULA) => format!("'{text}"),
            Cell::Text(text) => text.clone(),
        }));
    }

    fn line(&mut self, cells: impl Iterator<Item = String>) {
        for (at, cell) in cells.enumerate() {
            if at > 0 {
                self.0.push(',');
            }
            self.cell(&cell);
        }
        self.0.push_str("\r\n");
    }

    fn cell(&mut self, text: &str) {
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

    fn shown(text: &str) -> String {
        let mut row = Row(std::array::from_fn(|_| Cell::Nothing));
        row.0[1] = Cell::Text(text.to_owned());
        let mut csv = Csv::default();
        csv.take();
        csv.push(&row);
        csv.take()
    }

    #[test]
    fn texts_are_quoted_where_they_must_be() {
        let rest = ",".repeat(COLUMNS.len() - 2);
        for (text, cell) in [
            ("plain text", "plain text"),
            ("one, two", "\"one, two\""),
            ("the \"one\"", "\"the \"\"one\"\"\""),
            ("two\r\nlines", "\"two\r\nlines\""),
            (" blank", "\" blank\""),
            ("Ж", "Ж"),
            ("", ""),
        ] {
            assert_eq!(shown(text), format!(",{cell}{rest}\r\n"), "{text:?}");
        }
    }

    #[test]
    fn no_text_is_a_formula() {
        let rest = ",".repeat(COLUMNS.len() - 2);
        for (text, cell) in [
            ("=1+1", "'=1+1"),
            ("+49 30", "'+49 30"),
            ("-1", "'-1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "'\t=1"),
            ("=HYPERLINK(\"x\",1)", "\"'=HYPERLINK(\"\"x\"\",1)\""),
            ("1=1", "1=1"),
        ] {
            assert_eq!(shown(text), format!(",{cell}{rest}\r\n"), "{text:?}");
        }
    }

    #[test]
    fn numbers_are_numbers() {
        let mut csv = Csv::default();
        assert!(csv.take().starts_with("number,id,status,"));
        csv.push(&Row(std::array::from_fn(|_| Cell::Number(-7))));
        assert!(csv.take().starts_with("-7,-7,"));
        assert!(csv.is_empty());
    }
}
