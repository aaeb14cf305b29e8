//! Statements as tables: each bank has columns of its own.

use std::collections::HashMap;

use kassa_domain::Money;

use super::{ENTRIES_MAX, StatementEntry, StatementError, clean_text, entry_id, iso_date};

/// Rows before the one with the names of the columns, at most: banks write there whose account it is.
const ROWS_BEFORE_HEADER_MAX: usize = 50;
/// Cells of a row, at most.
const CELLS_MAX: usize = 200;

/// How dates are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CsvDate {
    /// `13.04.2026`, also `13.04.26`.
    DayMonthYearDots,
    /// `13/04/2026`, also `13/04/26`.
    DayMonthYearSlashes,
    /// `04/13/2026`, also `04/13/26`.
    MonthDayYearSlashes,
    /// `2026-04-13`.
    Iso,
}

/// How a table is written, and which of its columns say what: by their names in its first row, without regard to case.
#[derive(Clone, Debug)]
pub struct CsvShape {
    /// Between cells: a comma, a semicolon or a tab.
    pub separator: char,
    /// Before cents: a comma or a full stop. The other one may stand between thousands.
    pub decimal: char,
    /// How dates are written.
    pub date_form: CsvDate,
    /// When it was booked.
    pub date: String,
    /// How much came in; what went out has a minus.
    pub amount: String,
    /// Where references may stand.
    pub texts: Vec<String>,
    /// Who paid.
    pub name: Option<String>,
    /// The currency; without it, all is in the same one.
    pub currency: Option<String>,
    /// What the bank calls the entry.
    pub reference: Option<String>,
}

/// The columns of a table by their places.
struct Columns {
    date: usize,
    amount: usize,
    texts: Vec<usize>,
    name: Option<usize>,
    currency: Option<usize>,
    reference: Option<usize>,
}

/// Reads a table whose amounts are in `currency`, where it does not say which.
pub fn read_csv(text: &str, shape: &CsvShape, currency: &str) -> Result<Vec<StatementEntry>, StatementError> {
    let mut rows = Rows { rest: text.trim_start_matches('\u{feff}'), line: 1, separator: shape.separator };
    let columns = find_columns(&mut rows, shape)?;
    let mut entries = Vec::new();
    // Of entries that are alike in all, each has a number: the same in every statement that has all of their day.
    let mut alike: HashMap<[String; 5], usize> = HashMap::new();
    while let Some((line, cells)) = rows.next_row()? {
        let cell = |at: usize| cells.get(at).map(|cell| clean_text(cell)).unwrap_or_default();
        let optional = |at: Option<usize>| at.map(cell).unwrap_or_default();
        if cell(columns.amount).is_empty() {
            // Sums, and other remarks below the entries.
            continue;
        }
        if entries.len() == ENTRIES_MAX {
            return Err(StatementError::TooLong);
        }
        let wrong = |problem: String| StatementError::Row { line, problem };
        let date = read_date(&cell(columns.date), shape.date_form);
        let date = date.ok_or_else(|| wrong(format!("{:?} is no date of that form", cell(columns.date))))?;
        let (is_receipt, amount) = read_amount(&cell(columns.amount), shape.decimal)
            .ok_or_else(|| wrong(format!("{:?} is no amount of that form", cell(columns.amount))))?;
        let named = optional(columns.currency).to_ascii_uppercase();
        let currency = if named.is_empty() { currency.to_owned() } else { named };
        let (name, reference) = (optional(columns.name), optional(columns.reference));
        let texts: Vec<String> = columns.texts.iter().map(|at| cell(*at)).filter(|text| !text.is_empty()).collect();
        let shown = cell(columns.amount);
        let id = if reference.is_empty() {
            let all = [date.clone(), shown, currency.clone(), name.clone(), texts.join("\n")];
            let number = alike.entry(all.clone()).or_default();
            *number += 1;
            entry_id("csv row", &[&all[0], &all[1], &all[2], &all[3], &all[4], &number.to_string()])
        } else {
            entry_id("csv reference", &[&reference, &date, &shown])
        };
        entries.push(StatementEntry { id, date, amount: Some(amount), currency, name, texts, is_receipt });
    }
    Ok(entries)
}

/// Goes on behind the row that names all columns.
fn find_columns(rows: &mut Rows<'_>, shape: &CsvShape) -> Result<Columns, StatementError> {
    let named: Vec<&String> = [&shape.date, &shape.amount]
        .into_iter()
        .chain(&shape.texts)
        .chain([&shape.name, &shape.currency, &shape.reference].into_iter().flatten())
        .collect();
    for _ in 0..=ROWS_BEFORE_HEADER_MAX {
        let Some((_, cells)) = rows.next_row()? else { break };
        let titles: Vec<String> = cells.iter().map(|cell| cell.trim().to_lowercase()).collect();
        let place = |name: &String| titles.iter().position(|title| *title == name.trim().to_lowercase());
        if named.iter().any(|name| place(name).is_none()) {
            continue;
        }
        let optional = |name: &Option<String>| name.as_ref().and_then(place);
        if let (Some(date), Some(amount)) = (place(&shape.date), place(&shape.amount)) {
            return Ok(Columns {
                date,
                amount,
                texts: shape.texts.iter().filter_map(place).collect(),
                name: optional(&shape.name),
                currency: optional(&shape.currency),
                reference: optional(&shape.reference),
            });
        }
    }
    let asked: Vec<String> = named.iter().map(|name| format!("{name:?}")).collect();
    Err(StatementError::NoHeader(asked.join(", ")))
}

fn read_date(text: &str, form: CsvDate) -> Option<String> {
    let separator = match form {
        CsvDate::DayMonthYearDots => '.',
        CsvDate::DayMonthYearSlashes | CsvDate::MonthDayYearSlashes => '/',
        CsvDate::Iso => '-',
    };
    let mut parts = text.split(separator);
    let [first, second, third] = [parts.next()?, parts.next()?, parts.next()?];
    if parts.next().is_some() {
        return None;
    }
    let two = |text: &str| format!("{text:0>2}");
    let (year, month, day) = match form {
        CsvDate::DayMonthYearDots | CsvDate::DayMonthYearSlashes => (third, second, first),
        CsvDate::MonthDayYearSlashes => (third, first, second),
        CsvDate::Iso => (first, second, third),
    };
    let year = if year.len() == 2 { format!("20{year}") } else { year.to_owned() };
    iso_date(&year, &two(month), &two(day))
}

/// Whether it came in, and how much it was.
fn read_amount(text: &str, decimal: char) -> Option<(bool, Money)> {
    // Some write the currency behind it.
    let text = text.trim_end_matches(|c: char| c.is_alphabetic() || matches!(c, '€' | '$' | '£' | ' ' | '\u{a0}'));
    let (is_receipt, digits) = match (text.strip_prefix(['-', '\u{2212}']), text.strip_suffix('-')) {
        (Some(digits), None) | (None, Some(digits)) => (false, digits),
        (Some(_), Some(_)) => return None,
        (None, None) => (true, text.strip_prefix('+').unwrap_or(text)),
    };
    let between_thousands = if decimal == ',' { '.' } else { ',' };
    let is_gap = |c: char| c == between_thousands || matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '\'');
    let (whole, cents) = digits.split_once(decimal).unwrap_or((digits, "0"));
    let mut groups = whole.split(is_gap);
    let first = groups.next()?;
    let others: Vec<&str> = groups.collect();
    if others.iter().any(|group| group.len() != 3) || (!others.is_empty() && first.len() > 3) {
        return None;
    }
    let amount: Money = format!("{first}{}.{cents}", others.concat()).parse().ok()?;
    Some((is_receipt && amount > Money::ZERO, amount))
}

/// The rows of a table as RFC 4180 writes them.
struct Rows<'a> {
    rest: &'a str,
    line: usize,
    separator: char,
}

impl Rows<'_> {
    /// The number of its first line, and its cells; empty lines are left out.
    fn next_row(&mut self) -> Result<Option<(usize, Vec<String>)>, StatementError> {
        loop {
            if self.rest.is_empty() {
                return Ok(None);
            }
            let line = self.line;
            let cells = self.read_row()?;
            if cells.iter().any(|cell| !cell.trim().is_empty()) {
                return Ok(Some((line, cells)));
            }
        }
    }

    fn read_row(&mut self) -> Result<Vec<String>, StatementError> {
        let (line, mut cells, mut cell, mut is_quoted) = (self.line, Vec::new(), String::new(), false);
        let mut read = 0;
        let mut characters = self.rest.char_indices().peekable();
        while let Some((at, c)) = characters.next() {
            read = at + c.len_utf8();
            if c == '\n' {
                self.line += 1;
            }
            match c {
                '"' if is_quoted && characters.peek().is_some_and(|(_, next)| *next == '"') => {
                    cell.push('"');
                    characters.next();
                }
                '"' if is_quoted => is_quoted = false,
                '"' if cell.is_empty() => is_quoted = true,
                '\n' if !is_quoted => break,
                '\r' if !is_quoted => {}
                c if c == self.separator && !is_quoted => {
                    cells.push(std::mem::take(&mut cell));
                    if cells.len() == CELLS_MAX {
                        let problem = format!("has more than {CELLS_MAX} cells");
                        return Err(StatementError::Row { line, problem });
                    }
                }
                c => cell.push(c),
            }
        }
        if is_quoted {
            return Err(StatementError::Row { line, problem: "a quotation mark is not closed".to_owned() });
        }
        cells.push(cell);
        self.rest = &self.rest[read..];
        Ok(cells)
    }
}
