//! A statement as clients send it.

use std::collections::BTreeSet;

use kassa_domain::attachment::{Hex128, MalformedHex128};
use kassa_engine::payments::statement::{CsvDate, CsvShape, StatementEntry, StatementError, read_camt, read_csv};
use utoipa::PartialSchema;
use utoipa::openapi::{RefOr, Schema};

use crate::error::{ApiError, ErrorDetail};
use crate::input::{
    Flag, FromJson, Input, LineText, List, NameText, Problems, fields, invalid_value, parse_object, parse_word,
    required_value, requires,
};
use crate::openapi::schema;

/// The currency of accounts, unless another one is named: that of the code that banking programs read.
const CURRENCY: &str = "EUR";
/// Columns in which references may stand.
const TEXT_COLUMNS_MAX: usize = 20;
/// Entries that can be chosen at a time.
const CHOSEN_MAX: usize = 2_000;

fields! {
    /// The statement of an account.
    pub(crate) struct StatementInput {
        /// `camt.053`, the XML of ISO 20022, or `csv`.
        format: Input<Format>,
        /// The statement itself, as text.
        statement: Input<StatementText>,
        /// How a `csv` is written.
        csv: Input<CsvInput>,
        /// The currency in which the shop sells; entries in others are not matched. EUR by default. A `csv` without a column
        /// for it is in this one.
        currency: Input<CurrencyText>,
        /// Whether what fits is noted at once. Otherwise it is proposed only.
        apply: Input<Flag>,
        /// The ids of the entries that are noted with `apply`; all that fit, by default.
        entries: Input<List<EntryId, CHOSEN_MAX>>,
    }
}

requires! {
    /// The statement of an account.
    pub(crate) struct NewStatementInput: StatementInput { format, statement }
}

fields! {
    /// How a table is written: which of its columns say what, by their names in the first row, and how dates and numbers look.
    pub(crate) struct CsvFields {
        /// The column with the date of booking.
        date: Input<NameText>,
        /// The column with the amount; what went out has a minus.
        amount: Input<NameText>,
        /// The columns in which references may stand.
        texts: Input<List<NameText, TEXT_COLUMNS_MAX>>,
        /// The column with who paid.
        name: Input<NameText>,
        /// The column with the currency.
        currency: Input<NameText>,
        /// The column with the bank's own reference of the entry, if it has one: nothing else tells entries that are alike
        /// apart as surely.
        reference: Input<NameText>,
        /// Between cells: `;` by default, `,` or a tab.
        separator: Input<Separator>,
        /// Before cents: `,` by default, or `.`.
        decimal: Input<Decimal>,
        /// How dates are written: `DD.MM.YYYY` by default.
        date_format: Input<DateForm>,
    }
}

requires! {
    /// How a table is written.
    pub(crate) struct NewCsvFields: CsvFields { date, amount, texts }
}

const FORMATS: [(&str, Format); 2] = [("camt.053", Format::Camt), ("csv", Format::Csv)];
const SEPARATORS: [(&str, char); 3] = [(";", ';'), (",", ','), ("\t", '\t')];
const DECIMALS: [(&str, char); 2] = [(",", ','), (".", '.')];
const DATE_FORMS: [(&str, CsvDate); 4] = [
    ("DD.MM.YYYY", CsvDate::DayMonthYearDots),
    ("DD/MM/YYYY", CsvDate::DayMonthYearSlashes),
    ("MM/DD/YYYY", CsvDate::MonthDayYearSlashes),
    ("YYYY-MM-DD", CsvDate::Iso),
];

#[derive(Clone, Copy)]
enum Format {
    Camt,
    Csv,
}
struct Separator(char);
struct Decimal(char);
struct DateForm(CsvDate);

macro_rules! words {
    ($($Input:ty = $words:ident, $make:expr;)*) => {
        $(impl FromJson for $Input {
            fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
                parse_word(&$words, json).map($make)
            }

            fn json_schema() -> RefOr<Schema> {
                schema::words($words.iter().map(|(word, _)| *word)).into()
            }
        })*
    };
}
words! {
    Format = FORMATS, |format| format;
    Separator = SEPARATORS, Separator;
    Decimal = DECIMALS, Decimal;
    DateForm = DATE_FORMS, DateForm;
}

struct StatementText(String);

impl FromJson for StatementText {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        serde_json::from_str(json).map(Self).map_err(|_| invalid_value("must be a text"))
    }

    fn json_schema() -> RefOr<Schema> {
        schema::text().into()
    }
}

struct CurrencyText(String);

impl FromJson for CurrencyText {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let LineText(text) = LineText::<3>::from_json(json)?;
        let is_code = text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase());
        if is_code {
            Ok(Self(text))
        } else {
            Err(invalid_value("must be three capital letters, such as EUR (ISO 4217)"))
        }
    }

    fn json_schema() -> RefOr<Schema> {
        schema::text().pattern(Some("^[A-Z]{3}$")).into()
    }
}

struct EntryId(Hex128);

impl FromJson for EntryId {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let LineText(text) = LineText::<32>::from_json(json)?;
        text.parse().map(Self).map_err(|error: MalformedHex128| invalid_value(error.to_string()))
    }

    fn json_schema() -> RefOr<Schema> {
        schema::text().pattern(Some("^[0-9a-f]{32}$")).into()
    }
}

struct CsvInput(CsvShape);

impl FromJson for CsvInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let fields: CsvFields = parse_object(json)?;
        let mut problems = Problems::default();
        let (date, amount) =
            (fields.date.required("date", &mut problems), fields.amount.required("amount", &mut problems));
        let texts = fields.texts.required("texts", &mut problems);
        let mut optional = |field: Input<NameText>, name| field.optional(name, &mut problems).map(|text| text.0);
        let (name, currency) = (optional(fields.name, "name"), optional(fields.currency, "currency"));
        let reference = optional(fields.reference, "reference");
        let separator = fields.separator.optional("separator", &mut problems).map_or(';', |separator| separator.0);
        let decimal = fields.decimal.optional("decimal", &mut problems).map_or(',', |decimal| decimal.0);
        let form = fields.date_format.optional("date_format", &mut problems);
        let (Some(date), Some(amount), Some(texts)) = (date, amount, texts) else {
            return Err(problems.into_details());
        };
        let shape = CsvShape {
            separator,
            decimal,
            date_form: form.map_or(CsvDate::DayMonthYearDots, |form| form.0),
            date: date.0,
            amount: amount.0,
            texts: texts.0.into_iter().map(|text| text.0).collect(),
            name,
            currency,
            reference,
        };
        problems.into_result(Self(shape))
    }

    fn json_schema() -> RefOr<Schema> {
        NewCsvFields::schema()
    }
}

/// What a client wants of a statement.
pub(super) struct WantedImport {
    pub(super) source: StatementSource,
    pub(super) apply: bool,
    /// Which entries are noted, if not all that fit.
    pub(super) entries: Option<BTreeSet<Hex128>>,
}

/// A statement that is not read yet.
pub(super) struct StatementSource {
    text: String,
    /// How it is written, if it is a table.
    shape: Option<CsvShape>,
    currency: String,
}

impl StatementSource {
    /// How long it is.
    pub(super) fn bytes(&self) -> usize {
        self.text.len()
    }

    /// Its entries, and the currency in which they are matched.
    pub(super) fn read(self) -> Result<(Vec<StatementEntry>, String), StatementError> {
        let entries = match &self.shape {
            Some(shape) => read_csv(&self.text, shape, &self.currency),
            None => read_camt(&self.text),
        };
        entries.map(|entries| (entries, self.currency))
    }
}

impl StatementInput {
    pub(super) fn into_statement(self) -> Result<WantedImport, ApiError> {
        let mut problems = Problems::default();
        let format = self.format.required("format", &mut problems);
        let text = self.statement.required("statement", &mut problems);
        let csv = self.csv.optional("csv", &mut problems);
        let currency =
            self.currency.optional("currency", &mut problems).map_or_else(|| CURRENCY.to_owned(), |text| text.0);
        let apply = self.apply.optional("apply", &mut problems).is_some_and(|flag| flag.0);
        let entries = self.entries.optional("entries", &mut problems);
        if matches!(format, Some(Format::Csv)) && csv.is_none() {
            problems.add("csv", "is required for this format");
        }
        problems.finish()?;
        let shape = match required_value(format)? {
            Format::Csv => csv.map(|CsvInput(shape)| shape),
            Format::Camt => None,
        };
        let StatementText(text) = required_value(text)?;
        let entries = entries.map(|list| list.0.into_iter().map(|EntryId(id)| id).collect());
        Ok(WantedImport { source: StatementSource { text, shape, currency }, apply, entries })
    }
}
