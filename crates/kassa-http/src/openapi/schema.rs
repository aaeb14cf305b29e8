//! Pieces of schemas. Answers derive theirs; what a request may hold is said by the types that it is
//! parsed into.

use serde_json::Value;
use utoipa::ToSchema;
use utoipa::openapi::schema::{AnyOfBuilder, ArrayBuilder, SchemaFormat, SchemaType, Type};
use utoipa::openapi::{ObjectBuilder, Ref, RefOr, Schema};

/// A string.
pub(crate) fn text() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String)
}

/// A string of at most so many characters, none of which is a control character.
pub(crate) fn line(max: usize) -> ObjectBuilder {
    text().max_length(Some(max)).pattern(Some(r"^[^\x00-\x1f\x7f-\x9f]*$"))
}

/// The same, and not blank.
pub(crate) fn name(max: usize) -> ObjectBuilder {
    line(max)
        .min_length(Some(1))
        .pattern(Some(r"^[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$"))
}

/// The two letters of a country, in any case.
pub(crate) fn country() -> ObjectBuilder {
    text().pattern(Some("^[A-Za-z]{2}$"))
}

/// A string in a format that has a name.
pub(crate) fn text_with_format(format: &str) -> ObjectBuilder {
    text().format(Some(SchemaFormat::Custom(format.to_owned())))
}

/// An id.
pub(crate) fn id() -> ObjectBuilder {
    text().pattern(Some("^[0-9a-f]{24}$"))
}

/// A whole number.
pub(crate) fn integer() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::Integer)
}

/// One of some words.
pub(crate) fn words<'a>(words: impl IntoIterator<Item = &'a str>) -> ObjectBuilder {
    text().enum_values(Some(words))
}

/// A list of these.
pub(crate) fn list(items: impl Into<RefOr<Schema>>) -> ArrayBuilder {
    ArrayBuilder::new().items(items.into())
}

/// The schema of a type that stands among the components.
pub(crate) fn component_ref<T: ToSchema>() -> RefOr<Schema> {
    Ref::from_schema_name(T::name()).into()
}

/// Any of several forms.
pub(crate) fn any_of<const N: usize>(forms: [RefOr<Schema>; N]) -> RefOr<Schema> {
    RefOr::T(Schema::AnyOf(forms.into_iter().fold(AnyOfBuilder::new(), AnyOfBuilder::item).build()))
}

/// The same, or null.
pub(crate) fn nullable(mut schema: RefOr<Schema>) -> RefOr<Schema> {
    let kind = match &mut schema {
        RefOr::T(Schema::Object(object)) => {
            object.enum_values.iter_mut().for_each(|words| words.push(Value::Null));
            Some(&mut object.schema_type)
        }
        RefOr::T(Schema::Array(array)) => Some(&mut array.schema_type),
        RefOr::T(Schema::AnyOf(forms)) => {
            forms.items.push(null());
            return schema;
        }
        RefOr::T(_) | RefOr::Ref(_) => None,
    };
    if let Some(kind) = kind
        && let SchemaType::Type(known) = kind
    {
        *kind = SchemaType::Array(vec![known.clone(), Type::Null]);
        return schema;
    }
    any_of([schema, null()])
}

fn null() -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::Null).into()
}

/// The same with what its doc comment says.
pub(crate) fn described(mut schema: RefOr<Schema>, lines: &[&str]) -> RefOr<Schema> {
    let text = lines.iter().map(|line| line.trim()).collect::<Vec<&str>>().join(" ");
    if text.is_empty() {
        return schema;
    }
    match &mut schema {
        RefOr::Ref(reference) => reference.description = text,
        RefOr::T(Schema::Object(object)) => object.description = Some(text),
        RefOr::T(Schema::Array(array)) => array.description = Some(text),
        RefOr::T(Schema::AnyOf(forms)) => forms.description = Some(text),
        RefOr::T(_) => {}
    }
    schema
}
