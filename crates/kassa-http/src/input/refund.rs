//! What requests to refund requests say in every version of the interface.

use kassa_domain::refund::{Culprit, RefundState, RefundStep};
use utoipa::openapi::{RefOr, Schema};

use super::field::{FromJson, bad};
use super::values::one_of;
use crate::error::Detail;
use crate::openapi::schema;

/// The statuses by name, for filters.
pub(crate) const REFUND_STATES: [(&str, RefundState); 4] = [
    ("new", RefundState::New),
    ("in_progress", RefundState::InProgress),
    ("approved", RefundState::Approved),
    ("rejected", RefundState::Rejected),
];

/// The statuses that can be asked for.
const STEPS: [(&str, RefundStep); 3] =
    [("in_progress", RefundStep::InProgress), ("approved", RefundStep::Approved), ("rejected", RefundStep::Rejected)];

/// The longest wrong word that is repeated, in characters.
const REPEATED_MAX: usize = 64;

/// One of some words. Of another one `told` says what is wrong, unless it is too long to repeat.
fn word<T: Copy>(words: &[(&str, T)], json: &str, told: impl FnOnce(String) -> String) -> Result<T, Vec<Detail>> {
    let said = || serde_json::from_str::<String>(json).ok().filter(|text| text.chars().count() <= REPEATED_MAX);
    one_of(words, json).map_err(|details| said().map_or(details, |said| bad(told(said))))
}

/// A culprit; of a wrong word `told` says what is wrong.
pub(crate) fn culprit(json: &str, told: impl FnOnce(String) -> String) -> Result<Culprit, Vec<Detail>> {
    word(&Culprit::ALL.map(|culprit| (culprit.name(), culprit)), json, told)
}

/// A step that a refund request shall take.
pub(crate) struct RefundStepInput(pub(crate) RefundStep);

impl RefundStepInput {
    /// How the problem of a status begins that cannot be asked for. It is a whole sentence.
    pub(crate) const NO_STEP: &str = "Incorrect status ";
}

impl FromJson for RefundStepInput {
    fn from_json(json: &str) -> Result<Self, Vec<Detail>> {
        word(&STEPS, json, |said| format!("{}{said} for this operation", Self::NO_STEP)).map(Self)
    }

    fn form() -> RefOr<Schema> {
        schema::words(STEPS.map(|(name, _)| name)).into()
    }
}
