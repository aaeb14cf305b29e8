//! What requests to refund requests say in every version of the interface.

use kassa_domain::refund::{Culprit, RefundStatusKind, RefundTransition};
use utoipa::openapi::{RefOr, Schema};

use crate::error::ErrorDetail;
use crate::input::parse_word;
use crate::input::{FromJson, invalid_value};
use crate::openapi::schema;

/// The statuses by name, for filters.
pub(crate) const REFUND_STATES: [(&str, RefundStatusKind); 4] = [
    ("new", RefundStatusKind::New),
    ("in_progress", RefundStatusKind::InProgress),
    ("approved", RefundStatusKind::Approved),
    ("rejected", RefundStatusKind::Rejected),
];

/// The statuses that can be asked for.
const REFUND_STATUSES: [(&str, RefundTransition); 3] = [
    ("in_progress", RefundTransition::InProgress),
    ("approved", RefundTransition::Approved),
    ("rejected", RefundTransition::Rejected),
];

/// The longest wrong word that is repeated, in characters.
const ECHOED_CHARS_MAX: usize = 64;

/// One of some words. Of another one `told` says what is wrong, unless it is too long to repeat.
fn parse_word_or_explain<T: Copy>(
    words: &[(&str, T)],
    json: &str,
    told: impl FnOnce(String) -> String,
) -> Result<T, Vec<ErrorDetail>> {
    let said = || serde_json::from_str::<String>(json).ok().filter(|text| text.chars().count() <= ECHOED_CHARS_MAX);
    parse_word(words, json).map_err(|details| said().map_or(details, |said| invalid_value(told(said))))
}

/// A culprit; of a wrong word `told` says what is wrong.
pub(crate) fn parse_culprit(json: &str, told: impl FnOnce(String) -> String) -> Result<Culprit, Vec<ErrorDetail>> {
    parse_word_or_explain(&Culprit::ALL.map(|culprit| (culprit.name(), culprit)), json, told)
}

/// A step that a refund request shall take; of a wrong word `told` says what is wrong.
pub(crate) fn parse_refund_status(
    json: &str,
    told: impl FnOnce(String) -> String,
) -> Result<RefundTransition, Vec<ErrorDetail>> {
    parse_word_or_explain(&REFUND_STATUSES, json, told)
}

/// A step that a refund request shall take.
pub(crate) struct RefundStatusInput(pub(crate) RefundTransition);

impl FromJson for RefundStatusInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        parse_word(&REFUND_STATUSES, json).map(Self)
    }

    fn json_schema() -> RefOr<Schema> {
        schema::words(REFUND_STATUSES.map(|(name, _)| name)).into()
    }
}
