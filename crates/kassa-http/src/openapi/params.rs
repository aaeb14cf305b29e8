//! Parameters of queries, as lists take them.

use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn, ParameterStyle};
use utoipa::openapi::schema::Type;
use utoipa::openapi::{ObjectBuilder, RefOr, Required, Schema};

use super::schema;

/// Declares parameters, for the OpenAPI document.
macro_rules! parameters {
    ($(#[$about:meta])* $seen:vis struct $name:ident: $($parameter:expr),+ $(,)?) => {
        $(#[$about])*
        $seen struct $name;

        impl utoipa::IntoParams for $name {
            fn into_params(
                _: impl Fn() -> Option<utoipa::openapi::path::ParameterIn>,
            ) -> Vec<utoipa::openapi::path::Parameter> {
                vec![$($parameter),+]
            }
        }
    };
}
pub(crate) use parameters;

parameters! {
    /// Which part of a list.
    pub(crate) struct LimitOffsetParameters:
        single_value(
            "limit", schema::integer().minimum(Some(0)),
            "How many items to return; up to 1000.",
        ),
        single_value("offset", schema::integer().minimum(Some(0)), "How many items to skip; 0 by default."),
        single_value("page", schema::integer().minimum(Some(1)), "In place of `offset`: which page, from 1."),
        single_value(
            "page_size", schema::integer().minimum(Some(0)),
            "How many items a page has: the same as `limit`. Also `page-size`.",
        ),
}

/// One value.
pub(crate) fn single_value(name: &str, schema: impl Into<RefOr<Schema>>, about: &str) -> Parameter {
    builder(name, about).schema(Some(schema)).build()
}

/// A header.
pub(crate) fn header(name: &str, schema: impl Into<RefOr<Schema>>, about: &str) -> Parameter {
    builder(name, about).parameter_in(ParameterIn::Header).schema(Some(schema)).build()
}

/// A part of the path that is no id.
pub(crate) fn path_parameter(name: &str, schema: impl Into<RefOr<Schema>>, about: &str) -> Parameter {
    builder(name, about).parameter_in(ParameterIn::Path).required(Required::True).schema(Some(schema)).build()
}

/// Several values, separated by commas.
pub(crate) fn value_list(name: &str, schema: impl Into<RefOr<Schema>>, about: &str) -> Parameter {
    let builder = builder(name, about).style(Some(ParameterStyle::Form)).explode(Some(false));
    builder.schema(Some(schema::list(schema))).build()
}

/// Two values, with a comma between them.
pub(crate) fn value_pair(name: &str, schema: impl Into<RefOr<Schema>>, about: &str) -> Parameter {
    let both = schema::list(schema).min_items(Some(2)).max_items(Some(2));
    builder(name, about).style(Some(ParameterStyle::Form)).explode(Some(false)).schema(Some(both)).build()
}

/// The ids of what is wanted.
pub(crate) fn ids() -> Parameter {
    value_list("ids", schema::id(), "Only those with these ids; up to 1000.")
}

/// Some of these words.
pub(crate) fn words<T>(name: &str, words: &[(&str, T)], about: &str) -> Parameter {
    value_list(name, schema::words(words.iter().map(|(word, _)| *word)), about)
}

/// `sort` by some of these fields.
pub(crate) fn sort_fields<T>(fields: &[(&str, T)]) -> Parameter {
    let both = fields.iter().flat_map(|(field, _)| [(*field).to_owned(), format!("-{field}")]);
    value_list(
        "sort",
        schema::text().enum_values(Some(both)),
        "The fields to sort by, the first one first; `-` before a field sorts in descending order.",
    )
}

/// Whether something is wanted.
pub(crate) fn flag(name: &str, about: &str) -> Parameter {
    single_value(name, ObjectBuilder::new().schema_type(Type::Boolean), about)
}

fn builder(name: &str, about: &str) -> ParameterBuilder {
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Query)
        .required(Required::False)
        .description(Some(about))
}
