//! Lists and objects of values, with their bounds. How many values there are is known before any of them is looked at:
//! a short text may hold a great many. And what is wrong with them is told up to a bound only.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use kassa_domain::Id;
use kassa_domain::id::{Identified, MalformedId};
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use utoipa::openapi::schema::Type;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};

use super::field::{FromJson, Problems, invalid_value};
use crate::error::{ErrorDetail, shorten};
use crate::openapi::schema;

/// The longest list in a body.
pub(crate) const LIST_MAX: usize = 10_000;
/// The most values that stand in one text.
const COMMA_SEPARATED_MAX: usize = 1_000;

/// A list of at most `MAX` values.
#[derive(Clone, Debug)]
pub(crate) struct List<T, const MAX: usize = LIST_MAX>(pub(crate) Vec<T>);

impl<T: FromJson, const MAX: usize> FromJson for List<T, MAX> {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let entries = list_entries(json, MAX)?;
        collect(entries.into_iter().enumerate(), |at| format!("[{at}]"), |_, value| value).map(Self)
    }

    fn json_schema() -> RefOr<Schema> {
        schema::list(T::json_schema()).max_items(Some(MAX)).into()
    }
}

/// Several values: a list of texts, or one text with commas between them.
#[derive(Clone, Debug)]
pub(crate) struct CommaSeparated<T>(pub(crate) Vec<T>);

impl<T: FromJson> FromJson for CommaSeparated<T> {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        if !json.starts_with('"') {
            return List::<T, COMMA_SEPARATED_MAX>::from_json(json).map(|list| Self(list.0));
        }
        let text: String =
            serde_json::from_str(json).map_err(|_| invalid_value("must be a text or a list of texts"))?;
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        let parts: Vec<&str> = parts.take(COMMA_SEPARATED_MAX + 1).collect();
        if parts.len() > COMMA_SEPARATED_MAX {
            return Err(too_many(COMMA_SEPARATED_MAX));
        }
        let list = serde_json::to_string(&parts).map_err(|error| invalid_value(error.to_string()))?;
        List::<T, COMMA_SEPARATED_MAX>::from_json(&list).map(|list| Self(list.0))
    }

    fn json_schema() -> RefOr<Schema> {
        let list = schema::list(T::json_schema()).max_items(Some(COMMA_SEPARATED_MAX));
        schema::any_of([list.into(), schema::text().into()])
    }
}

/// An object whose keys are ids of `N`.
#[derive(Clone, Debug)]
pub(crate) struct IdMap<N: Identified, T>(pub(crate) Vec<(Id<N::Kind>, T)>);

impl<N: Identified, T: FromJson> FromJson for IdMap<N, T> {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let members = object_members(json, LIST_MAX)?;
        let mut entries = Vec::with_capacity(members.len());
        for (key, raw) in members {
            let problem = |error: MalformedId| vec![ErrorDetail::new(format!(".{}", shorten(&key)), error.to_string())];
            entries.push((key.parse::<Id<N::Kind>>().map_err(problem)?, raw));
        }
        collect(entries.into_iter(), |id| format!(".{id}"), |id, value| (id, value)).map(Self)
    }

    fn json_schema() -> RefOr<Schema> {
        let object = ObjectBuilder::new().schema_type(Type::Object);
        object.property_names(Some(schema::id().build())).additional_properties(Some(T::json_schema())).into()
    }
}

/// All values, or what is wrong with them.
fn collect<'a, P: Copy, T: FromJson, U>(
    entries: impl Iterator<Item = (P, &'a RawValue)>,
    place: impl Fn(P) -> String,
    make: impl Fn(P, T) -> U,
) -> Result<Vec<U>, Vec<ErrorDetail>> {
    let (mut values, mut problems) = (Vec::new(), Problems::default());
    for (at, raw) in entries {
        match T::from_json(raw.get()) {
            Ok(value) => values.push(make(at, value)),
            Err(details) => problems.add_below(&place(at), details),
        }
        if problems.is_full() {
            break;
        }
    }
    problems.into_result(values)
}

fn too_many(max: usize) -> Vec<ErrorDetail> {
    invalid_value(format!("must have at most {max} entries"))
}

/// The entries of a list, as they stand in it. Of one with more than `max`, the rest is not looked at.
pub(crate) fn list_entries(json: &str, max: usize) -> Result<Vec<&RawValue>, Vec<ErrorDetail>> {
    let mut reader = EntriesReader { entries: Vec::new(), max, exceeded: false };
    let read = serde_json::Deserializer::from_str(json).deserialize_seq(&mut reader);
    match read {
        Ok(()) => Ok(reader.entries),
        Err(_) if reader.exceeded => Err(too_many(max)),
        Err(_) => Err(invalid_value("must be a list")),
    }
}

struct EntriesReader<'a> {
    entries: Vec<&'a RawValue>,
    max: usize,
    exceeded: bool,
}

impl<'de> Visitor<'de> for &mut EntriesReader<'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(entry) = list.next_element()? {
            if self.entries.len() == self.max {
                self.exceeded = true;
                return Err(de::Error::custom("too many entries"));
            }
            self.entries.push(entry);
        }
        Ok(())
    }
}

/// The members of an object, as they stand in it; of those with one name, the last. Of one with more than `max`, the
/// rest is not looked at.
pub(crate) fn object_members(json: &str, max: usize) -> Result<BTreeMap<Cow<'_, str>, &RawValue>, Vec<ErrorDetail>> {
    let mut reader = MembersReader { members: BTreeMap::new(), max, exceeded: false };
    let read = serde_json::Deserializer::from_str(json).deserialize_map(&mut reader);
    match read {
        Ok(()) => Ok(reader.members),
        Err(_) if reader.exceeded => Err(too_many(max)),
        Err(_) => Err(invalid_value("must be an object")),
    }
}

struct MembersReader<'a> {
    members: BTreeMap<Cow<'a, str>, &'a RawValue>,
    max: usize,
    exceeded: bool,
}

impl<'de> Visitor<'de> for &mut MembersReader<'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        while let Some(name) = object.next_key_seed(MemberName)? {
            if self.members.len() == self.max && !self.members.contains_key(&name) {
                self.exceeded = true;
                return Err(de::Error::custom("too many members"));
            }
            self.members.insert(name, object.next_value()?);
        }
        Ok(())
    }
}

/// Reads a name where it stands, unless it has escapes.
struct MemberName;

impl<'de> DeserializeSeed<'de> for MemberName {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, name: D) -> Result<Cow<'de, str>, D::Error> {
        name.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for MemberName {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_borrowed_str<E: de::Error>(self, name: &'de str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Borrowed(name))
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Owned(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::values::BoundedNumber;
    use super::*;
    use crate::error::DETAILS_MAX;

    #[test]
    fn a_list_names_each_bad_entry() {
        let problems = List::<BoundedNumber<9>>::from_json("[1, 10, 2, -1, \"3\"]").unwrap_err();
        let fields: Vec<&str> = problems.iter().map(|detail| detail.field.as_str()).collect();
        assert_eq!(fields, ["[1]", "[3]", "[4]"]);
    }

    #[test]
    fn behind_one_entry_too_many_nothing_is_looked_at() {
        let texts = |entries: &[&RawValue]| entries.iter().map(|raw| raw.get().to_owned()).collect::<Vec<_>>();
        assert_eq!(texts(&list_entries(r#" [1, "a,b" , [2]]"#, 3).unwrap()), ["1", "\"a,b\"", "[2]"]);
        // It would be no JSON if anybody looked.
        for json in ["[1, 2, 3, 4, ", "[1, 2, 3, 4 nothing"] {
            assert_eq!(list_entries(json, 3).unwrap_err(), too_many(3), "{json}");
        }
        let members = object_members(r#"{"b": 1, "a\n": 2, "b": [3]}"#, 2).unwrap();
        let members: Vec<(&str, &str)> = members.iter().map(|(name, raw)| (&**name, raw.get())).collect();
        assert_eq!(members, [("a\n", "2"), ("b", "[3]")]);
        assert_eq!(object_members(r#"{"a": 1, "b": 2, "c" nothing"#, 2).unwrap_err(), too_many(2));
        for json in ["{}", "1", "\"[]\"", "null"] {
            assert_eq!(list_entries(json, 3).unwrap_err(), invalid_value("must be a list"), "{json}");
        }
        for json in ["[]", "1", "\"{}\"", "null"] {
            assert_eq!(object_members(json, 3).unwrap_err(), invalid_value("must be an object"), "{json}");
        }
    }

    #[test]
    fn only_so_many_problems_are_collected() {
        // One more than is told: it says that there are more.
        let zeros = |count: usize| format!("[{}]", vec!["0"; count].join(","));
        let problems = List::<BoundedNumber<9, 1>>::from_json(&zeros(LIST_MAX)).unwrap_err();
        assert_eq!(problems.len(), DETAILS_MAX + 1);
        let nested = format!("[{}]", vec![zeros(60); 50].join(","));
        assert_eq!(List::<List<BoundedNumber<9, 1>>>::from_json(&nested).unwrap_err().len(), DETAILS_MAX + 1);
        let problems = List::<BoundedNumber<9, 1>>::from_json(&zeros(LIST_MAX + 1)).unwrap_err();
        assert_eq!(problems, too_many(LIST_MAX));
    }

    #[test]
    fn a_text_holds_only_so_many_values() {
        let text = |count: usize| format!("\" {},, \"", vec!["\\\"a\\\""; count].join(" , "));
        let read = |count| CommaSeparated::<super::super::LineText>::from_json(&text(count));
        assert_eq!(read(COMMA_SEPARATED_MAX).unwrap().0.len(), COMMA_SEPARATED_MAX);
        assert_eq!(read(COMMA_SEPARATED_MAX + 1).unwrap_err(), too_many(COMMA_SEPARATED_MAX));
    }
}
