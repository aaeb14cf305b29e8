//! Fields of a body. A field remembers that its value was bad instead of failing the whole body, so
//! that the answer names every bad one.

use kassa_domain::Patch;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use utoipa::openapi::{Object, RefOr, Schema};

use crate::error::{ApiError, Detail};
use crate::openapi::schema;

/// A type that a field can hold.
pub(crate) trait FromJson: Sized {
    /// From JSON text that is well-formed and not null. The error says where, below the field, and
    /// what.
    fn from_json(json: &str) -> Result<Self, Vec<Detail>>;

    /// What it is read from, for the OpenAPI document.
    fn form() -> RefOr<Schema>;
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

impl<T: FromJson> Input<T> {
    /// What the field may hold, for the OpenAPI document. One that must be there is not null.
    pub(crate) fn form(is_required: bool) -> RefOr<Schema> {
        if is_required { T::form() } else { schema::nullable(T::form()) }
    }
}

/// The fields of an object, for the OpenAPI document.
pub(crate) trait Fields {
    /// All of them, of which these must be there.
    fn object(required: &[&str]) -> Object;
}

/// Declares the fields of an object in a request. What their comments say stands in the OpenAPI
/// document.
macro_rules! fields {
    (
        $(#[$about:meta])*
        $seen:vis struct $name:ident {
            $($(#[doc = $doc:literal])* $field_seen:vis $field:ident: $input:ty,)*
        }
    ) => {
        $(#[$about])*
        #[derive(Default, serde::Deserialize)]
        #[serde(default)]
        $seen struct $name {
            $($(#[doc = $doc])* $field_seen $field: $input,)*
        }

        impl $crate::input::Fields for $name {
            fn object(required: &[&str]) -> utoipa::openapi::Object {
                let object = utoipa::openapi::ObjectBuilder::new();
                $(
                    let form = <$input>::form(required.contains(&stringify!($field)));
                    let form = $crate::openapi::schema::described(form, &[$($doc),*]);
                    let object = object.property(stringify!($field), form);
                )*
                required.iter().copied().fold(object, utoipa::openapi::ObjectBuilder::required).build()
            }
        }

        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                <Self as $crate::input::Fields>::object(&[]).into()
            }
        }

        impl utoipa::ToSchema for $name {}
    };
}
pub(crate) use fields;

/// Declares the body of a new thing: as the fields of another type, of which some must be there. It
/// is for the OpenAPI document only.
macro_rules! requires {
    ($(#[$about:meta])* $seen:vis struct $name:ident: $all:ident { $($field:ident),+ }) => {
        $(#[$about])*
        $seen struct $name;

        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                $(let _ = |all: $all| drop(all.$field);)+
                <$all as $crate::input::Fields>::object(&[$(stringify!($field)),+]).into()
            }
        }

        impl utoipa::ToSchema for $name {}
    };
}
pub(crate) use requires;

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

    /// The value, if nothing was wrong: for a type whose fields are read in its own [`FromJson`].
    pub(crate) fn settle<T>(self, value: T) -> Result<T, Vec<Detail>> {
        let details = self.into_details();
        if details.is_empty() { Ok(value) } else { Err(details) }
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
pub(crate) fn bad(problem: impl Into<String>) -> Vec<Detail> {
    vec![Detail { field: String::new(), problem: problem.into() }]
}
