//! What requests to refund requests say in every version of the interface.

use kassa_domain::refund::{RefundStatusKind, RefundTransition};
use utoipa::openapi::{RefOr, Schema};

use super::states::REFUND_STATUSES;
use crate::error::ErrorDetail;
use crate::input::{FromJson, invalid_value, parse_word};
use crate::openapi::schema;

/// The longest wrong word that is repeated, in characters.
const ECHOED_CHARS_MAX: usize = 64;

/// One of some words. `explain` says what is wrong with another one, unless it is too long to repeat.
pub(crate) fn parse_word_or_explain<T: Copy>(
    words: &[(&str, T)],
    json: &str,
    explain: impl FnOnce(String) -> String,
) -> Result<T, Vec<ErrorDetail>> {
    parse_word(words, json).map_err(|details| {
        let word = serde_json::from_str::<String>(json).ok().filter(|word| word.chars().count() <= ECHOED_CHARS_MAX);
        word.map_or(details, |word| invalid_value(explain(word)))
    })
}

/// The transitions by name.
pub(crate) fn refund_transitions() -> Vec<(&'static str, RefundTransition)> {
    REFUND_STATUSES.words_for(|status| {
        Some(match status {
            RefundStatusKind::New => RefundTransition::RemainNew,
            RefundStatusKind::InProgress => RefundTransition::InProgress,
            RefundStatusKind::Approved => RefundTransition::Approved,
            RefundStatusKind::Rejected => RefundTransition::Rejected,
        })
    })
}

/// The status that a refund request is to have.
pub(crate) struct RefundStatusInput(pub(crate) RefundTransition);

impl FromJson for RefundStatusInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        parse_word(&refund_transitions(), json).map(Self)
    }

    fn json_schema() -> RefOr<Schema> {
        schema::words(refund_transitions().into_iter().map(|(name, _)| name)).into()
    }
}
