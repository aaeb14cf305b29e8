//! JSON that is looked into one level deep, without a copy of it.

use std::fmt;

use kassa_domain::field_selection::FieldSelection;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::ProjectionLimit;

/// How many bytes may be looked at for one answer. What is nested is looked at on each level, and what is referred to
/// on each level of references.
const SCANNED_BYTES_MAX: usize = 256 * 1024 * 1024;

/// What may still be looked at for an answer.
pub(super) struct ScanBudget(usize);

impl Default for ScanBudget {
    fn default() -> Self {
        Self(SCANNED_BYTES_MAX)
    }
}

/// A value, by what a schema wants of it.
pub(super) enum JsonParts<'a> {
    /// A text, a number, true, false or null.
    Scalar,
    /// The items of a list.
    List(Vec<&'a RawValue>),
    /// The values of an object's fields, in the order of the schema; `None` for those that it does not have.
    Object(Vec<Option<&'a RawValue>>),
}

impl<'a> JsonParts<'a> {
    /// What a value consists of, as far as it is wanted.
    pub(super) fn of(
        value: &'a RawValue,
        schema: &FieldSelection,
        scans: &mut ScanBudget,
    ) -> Result<Self, ProjectionLimit> {
        let text = value.get();
        let first = text.as_bytes().first();
        if !matches!(first, Some(b'[' | b'{')) {
            return Ok(Self::Scalar);
        }
        scans.0 = scans.0.checked_sub(text.len()).ok_or(ProjectionLimit::Scans)?;
        let parts = if first == Some(&b'[') {
            serde_json::from_str(text).map(Self::List)
        } else {
            serde_json::Deserializer::from_str(text).deserialize_map(FieldsVisitor(schema)).map(Self::Object)
        };
        parts.map_err(|_| ProjectionLimit::Malformed)
    }
}

/// Takes the values of the fields of a schema.
struct FieldsVisitor<'s>(&'s FieldSelection);

impl<'de> Visitor<'de> for FieldsVisitor<'_> {
    type Value = Vec<Option<&'de RawValue>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Self::Value, A::Error> {
        let mut values = vec![None; self.0.fields().len()];
        while let Some(place) = fields.next_key_seed(NameSeed(self.0))? {
            match place.and_then(|place| values.get_mut(place)) {
                Some(value) => *value = Some(fields.next_value()?),
                None => drop(fields.next_value::<IgnoredAny>()?),
            }
        }
        Ok(values)
    }
}

/// The place of a name in a schema; `None` if it is not wanted.
struct NameSeed<'s>(&'s FieldSelection);

impl<'de> DeserializeSeed<'de> for NameSeed<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, name: D) -> Result<Self::Value, D::Error> {
        name.deserialize_str(self)
    }
}

impl Visitor<'_> for NameSeed<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(self.0.fields().iter().position(|item| item.name == name))
    }
}
