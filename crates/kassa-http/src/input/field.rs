//! Fields of a body. A field remembers that its value was bad instead of failing the whole body, so
//! that the answer names every bad one.

use kassa_domain::Patch;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::error::{ApiError, Detail};

/// A type that a field can hold.
pub(crate) trait FromJson: Sized {
    /// From JSON text that is well-formed and not null. The error says where, below the field, and
    /// what.
    fn from_json(json: &str) -> Result<Self, Vec<Detail>>;
}

/// A field of a body, as it was given.
#[derive(Clone, Debug, Default)]
pub(crate) enum Input<T> {
    /// Not mentioned.
    #[default]
    Absent,
    /// Given as `null`.
    Null,
    /// Given.
    Given(T),
    /// Given with a bad value.
    Bad(Vec<Detail>),
}

impl<'de, T: FromJson> Deserialize<'de> for Input<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Ok(match raw.get() {
            "null" => Self::Null,
            json => T::from_json(json).map_or_else(Self::Bad, Self::Given),
        })
    }
}

impl<T> Input<T> {
    /// The value of a field that must be there.
    pub(crate) fn required(self, field: &str, problems: &mut Problems) -> Option<T> {
        match self {
            Self::Absent | Self::Null => {
                problems.add(field, "is required");
                None
            }
            given @ (Self::Given(_) | Self::Bad(_)) => given.patch(field, problems).value(),
        }
    }

    /// The value of a field that may be missing or null.
    pub(crate) fn optional(self, field: &str, problems: &mut Problems) -> Option<T> {
        self.patch(field, problems).value()
    }

    /// What a partial update says of the field.
    pub(crate) fn patch(self, field: &str, problems: &mut Problems) -> Patch<T> {
        match self {
            Self::Absent => Patch::Keep,
            Self::Null => Patch::Clear,
            Self::Given(value) => Patch::Set(value),
            Self::Bad(details) => {
                problems.below(field, details);
                Patch::Keep
            }
        }
    }

    /// The same for a field that has no empty state.
    pub(crate) fn patch_some(self, field: &str, problems: &mut Problems) -> Patch<T> {
        if matches!(self, Self::Null) {
            problems.add(field, "must not be null");
        }
        match self.patch(field, problems) {
            Patch::Clear => Patch::Keep,
            patch @ (Patch::Keep | Patch::Set(_)) => patch,
        }
    }
}

/// Everything that was found to be wrong with a request.
#[derive(Debug, Default)]
pub(crate) struct Problems(Vec<Detail>);

impl Problems {
    /// Notes a problem of a field.
    pub(crate) fn add(&mut self, field: &str, problem: impl Into<String>) {
        self.0.push(Detail { field: format!("$.{field}"), problem: problem.into() });
    }

    /// Notes a problem of a query parameter.
    pub(crate) fn parameter(&mut self, name: &str, problem: impl Into<String>) {
        self.0.push(Detail { field: name.to_owned(), problem: problem.into() });
    }

    fn below(&mut self, field: &str, details: Vec<Detail>) {
        let deeper = details.into_iter().map(|detail| Detail { field: format!("$.{field}{}", detail.field), ..detail });
        self.0.extend(deeper);
    }

    /// Whether nothing was found yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Refuses the request if anything was wrong.
    pub(crate) fn finish(self) -> Result<(), ApiError> {
        if self.0.is_empty() { Ok(()) } else { Err(ApiError::invalid(self.0)) }
    }

    /// The problems themselves: for a type whose fields are read in its own [`FromJson`].
    pub(crate) fn into_details(self) -> Vec<Detail> {
        let relative = |detail: Detail| Detail { field: detail.field.trim_start_matches('$').to_owned(), ..detail };
        self.0.into_iter().map(relative).collect()
    }
}

/// A required value after [`Problems::finish`], which has refused requests without it.
pub(crate) fn must<T>(value: Option<T>) -> Result<T, ApiError> {
    value.ok_or_else(|| ApiError::invalid(Vec::new()))
}

/// One problem of the value itself.
pub(super) fn bad(problem: impl Into<String>) -> Vec<Detail> {
    vec![Detail { field: String::new(), problem: problem.into() }]
}
