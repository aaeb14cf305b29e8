//! Fields of a body. A field remembers that its value was bad instead of failing the whole body, so
//! that the answer names every bad one.

use std::fmt;
use std::marker::PhantomData;

use kassa_domain::Patch;
use serde::de::{self, DeserializeSeed, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use utoipa::openapi::{Object, RefOr, Schema};

use super::similar_names::note_unknown_field;
use crate::error::{ApiError, DETAILS_MAX, ErrorDetail};
use crate::openapi::schema;

/// A type that a field can hold.
pub(crate) trait FromJson: Sized {
    /// From JSON text that is well-formed and not null. The error says where, below the field, and
    /// what.
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>>;

    /// What it is read from, for the OpenAPI document.
    fn json_schema() -> RefOr<Schema>;
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
    Invalid(Vec<ErrorDetail>),
}

impl<'de, T: FromJson> Deserialize<'de> for Input<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Bodies are read from a text, in which it stands: no copy is made of it.
        <&RawValue>::deserialize(deserializer).map(Self::from_raw)
    }
}

impl<T: FromJson> Input<T> {
    /// What a value says.
    pub(crate) fn from_raw(raw: &RawValue) -> Self {
        match raw.get() {
            "null" => Self::Null,
            json => T::from_json(json).map_or_else(Self::Invalid, Self::Given),
        }
    }

    /// Reads the value of the field, which an object has once.
    pub(crate) fn read<'de, A: MapAccess<'de>>(&mut self, name: &'static str, object: &mut A) -> Result<(), A::Error> {
        if !matches!(self, Self::Absent) {
            return Err(de::Error::duplicate_field(name));
        }
        *self = object.next_value()?;
        Ok(())
    }

    /// What the field may hold, for the OpenAPI document. One that must be there is not null.
    pub(crate) fn json_schema(is_required: bool) -> RefOr<Schema> {
        if is_required { T::json_schema() } else { schema::nullable(T::json_schema()) }
    }
}

/// The fields of an object, for the OpenAPI document.
pub(crate) trait Fields {
    /// All of them, of which these must be there.
    fn object(required: &[&str]) -> Object;
}

/// The fields of an object in a request; [`fields!`] declares them.
pub(crate) trait FieldSet: Default {
    /// Their names.
    const NAMES: &'static [&'static str];

    /// Reads the field of this name.
    fn read_field<'de, A: MapAccess<'de>>(&mut self, name: &'static str, object: &mut A) -> Result<(), A::Error>;
}

/// Reads an object. Unknown names are ignored, and noted where they resemble one of its fields.
pub(crate) fn read_fields<'de, T: FieldSet, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_map(ObjectVisitor(PhantomData))
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: FieldSet> Visitor<'de> for ObjectVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<T, A::Error> {
        let mut fields = T::default();
        while let Some(name) = object.next_key_seed(KnownName(T::NAMES))? {
            match name {
                Some(name) => fields.read_field(name, &mut object)?,
                None => drop(object.next_value::<IgnoredAny>()?),
            }
        }
        Ok(fields)
    }
}

/// Reads a key as the name that it is among these.
struct KnownName(&'static [&'static str]);

impl<'de> DeserializeSeed<'de> for KnownName {
    type Value = Option<&'static str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for KnownName {
    type Value = Option<&'static str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field")
    }

    fn visit_str<E: de::Error>(self, key: &str) -> Result<Self::Value, E> {
        let known = self.0.iter().copied().find(|name| *name == key);
        if known.is_none() {
            note_unknown_field(key, self.0);
        }
        Ok(known)
    }
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
        #[derive(Default)]
        $seen struct $name {
            $($(#[doc = $doc])* $field_seen $field: $input,)*
        }

        impl $crate::input::FieldSet for $name {
            const NAMES: &'static [&'static str] = &[$(stringify!($field)),*];

            fn read_field<'de, A: serde::de::MapAccess<'de>>(
                &mut self,
                name: &'static str,
                object: &mut A,
            ) -> Result<(), A::Error> {
                $(if name == stringify!($field) {
                    return self.$field.read(name, object);
                })*
                object.next_value::<serde::de::IgnoredAny>().map(drop)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::input::read_fields(deserializer)
            }
        }

        impl $crate::input::Fields for $name {
            fn object(required: &[&str]) -> utoipa::openapi::Object {
                let object = utoipa::openapi::ObjectBuilder::new();
                $(
                    let form = <$input>::json_schema(required.contains(&stringify!($field)));
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
            given @ (Self::Given(_) | Self::Invalid(_)) => given.patch(field, problems).value(),
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
            Self::Invalid(details) => {
                problems.add_below(&format!("$.{field}"), details);
                Patch::Keep
            }
        }
    }

    /// The same for a field that has no empty state.
    pub(crate) fn patch_non_null(self, field: &str, problems: &mut Problems) -> Patch<T> {
        if matches!(self, Self::Null) {
            problems.add(field, "must not be null");
        }
        match self.patch(field, problems) {
            Patch::Clear => Patch::Keep,
            patch @ (Patch::Keep | Patch::Set(_)) => patch,
        }
    }
}

/// Everything that was found to be wrong with a request, up to a bound: see [`ApiError::invalid`].
#[derive(Debug, Default)]
pub(crate) struct Problems(Vec<ErrorDetail>);

impl Problems {
    /// Notes a problem of a field.
    pub(crate) fn add(&mut self, field: &str, problem: impl Into<String>) {
        self.add_detail(ErrorDetail::new(format!("$.{field}"), problem));
    }

    /// Notes a problem of a query parameter.
    pub(crate) fn add_parameter(&mut self, name: &str, problem: impl Into<String>) {
        self.add_detail(ErrorDetail::new(name, problem));
    }

    /// Notes a problem that is described already, unless there are more than enough.
    pub(crate) fn add_detail(&mut self, detail: ErrorDetail) {
        if !self.is_full() {
            self.0.push(detail);
        }
    }

    /// Notes what is wrong with a part of a value, which is at this place in it.
    pub(crate) fn add_below(&mut self, place: &str, details: Vec<ErrorDetail>) {
        for detail in details {
            self.add_detail(ErrorDetail { field: format!("{place}{}", detail.field), ..detail });
        }
    }

    /// Whether there is more to tell than is told: nobody has to look for more.
    pub(crate) fn is_full(&self) -> bool {
        self.0.len() > DETAILS_MAX
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
    pub(crate) fn into_result<T>(self, value: T) -> Result<T, Vec<ErrorDetail>> {
        let details = self.into_details();
        if details.is_empty() { Ok(value) } else { Err(details) }
    }

    /// The problems themselves: for a type whose fields are read in its own [`FromJson`].
    pub(crate) fn into_details(self) -> Vec<ErrorDetail> {
        let relative =
            |detail: ErrorDetail| ErrorDetail { field: detail.field.trim_start_matches('$').to_owned(), ..detail };
        self.0.into_iter().map(relative).collect()
    }
}

/// A required value after [`Problems::finish`], which has refused requests without it.
pub(crate) fn required_value<T>(value: Option<T>) -> Result<T, ApiError> {
    value.ok_or_else(|| ApiError::invalid(Vec::new()))
}

/// One problem of the value itself.
pub(crate) fn invalid_value(problem: impl Into<String>) -> Vec<ErrorDetail> {
    vec![ErrorDetail::new("", problem)]
}
