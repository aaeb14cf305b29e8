//! Statements of bank accounts: what has come in, as banks write it.

mod camt;
mod csv;
mod proposals;
mod references;

pub use camt::read_camt;
pub use csv::{CsvDate, CsvShape, read_csv};
pub use proposals::{Proposal, ProposedMatch, ProposedPart, propose};
pub use references::references_in;

use kassa_domain::Money;
use kassa_domain::attachment::Hex128;
use sha2::{Digest, Sha256};

/// Entries of one statement, at most.
pub const ENTRIES_MAX: usize = 2_000;
/// Characters of the texts of one entry, at most; what is longer is cut.
const TEXT_CHARS_MAX: usize = 2_000;

/// One movement of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementEntry {
    /// What tells it from others of the account: from the bank's own reference, or from all that is known of it. It is the
    /// same in every statement that has the entry.
    pub id: Hex128,
    /// When it was booked: `2026-04-13`.
    pub date: String,
    /// How much came in; `None` where it is no amount of two decimals.
    pub amount: Option<Money>,
    /// The currency: three capital letters.
    pub currency: String,
    /// Who paid, if the bank says so.
    pub name: String,
    /// All that was said with it, piece by piece. Banks break lines where they like.
    pub texts: Vec<String>,
    /// Whether it is money that came in, and that the bank has booked.
    pub is_receipt: bool,
}

/// The text is no statement that can be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StatementError {
    /// It is not well-formed XML, or no statement of the kind.
    #[error("is no camt.053 statement: {0}")]
    Camt(String),
    /// There is no row with the names of all columns that are asked for.
    #[error("has no row that names the columns {0}")]
    NoHeader(String),
    /// A row cannot be read.
    #[error("line {line}: {problem}")]
    Row {
        /// Counted from 1.
        line: usize,
        /// Why.
        problem: String,
    },
    /// It has more entries than are read at once.
    #[error("has more than {ENTRIES_MAX} entries: send a part of it")]
    TooLong,
}

/// The id of an entry from what is known of it. No character moves from one part to another.
fn entry_id(kind: &str, parts: &[&str]) -> Hex128 {
    let mut hash = Sha256::new();
    for part in [kind].iter().chain(parts) {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part.as_bytes());
    }
    let digest = hash.finalize();
    Hex128(std::array::from_fn(|at| digest[at]))
}

/// The date, if it is one: `2026-04-13`.
fn iso_date(year: &str, month: &str, day: &str) -> Option<String> {
    let number = |text: &str, len: usize, max: u32| {
        let is_number = text.len() == len && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|number| is_number && (1..=max).contains(number))
    };
    let (year, month, day) = (number(year, 4, 9_999)?, number(month, 2, 12)?, number(day, 2, 31)?);
    Some(format!("{year:04}-{month:02}-{day:02}"))
}

/// A text without control characters, and no longer than is kept.
fn clean_text(text: &str) -> String {
    let kept = text.trim().chars().filter(|c| !c.is_control());
    kept.take(TEXT_CHARS_MAX).collect()
}
