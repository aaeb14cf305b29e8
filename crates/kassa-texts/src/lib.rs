//! Texts for people, in their languages, with amounts and dates as they write them.
//!
//! Pages, mails and documents take theirs from one catalogue: `texts/<language>/*.ftl`, in the syntax of Fluent. Each
//! language has the same keys; a test sees to that.

mod amount;
mod catalogue;
mod dates;
mod language;
mod returns;

pub use amount::{Amount, Currency, MalformedAmount, MalformedCurrency, show_percent};
pub use catalogue::{FILES, Texts};
pub use dates::{MonthName, capitalized};
pub use language::Language;
pub use returns::{ReturnDeadline, ReturnTerms};
