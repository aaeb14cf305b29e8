//! Requests, parsed: bodies field by field so that every bad one is named, queries, and ids in
//! paths.

mod body;
mod body_chunks;
mod collections;
mod field;
mod path;
mod query;
mod similar_names;
mod values;

pub(crate) use body::{Json, OptionalJson, RawBody, body_too_large, exceeds_discard_limit, read_body};
pub(crate) use body_chunks::BodyChunks;
pub(crate) use collections::{CommaSeparated, IdMap, LIST_MAX, List, object_members};
pub(crate) use field::{
    FieldSet, Fields, FromJson, Input, Problems, fields, invalid_value, read_fields, required_value, requires,
};
pub(crate) use path::{PathId, PathText};
pub(crate) use query::Query;
pub(crate) use similar_names::RequestNames;
pub(crate) use values::{
    AnyText, BoundedNumber, EmailText, Flag, LineText, LongText, MoneyInput, NameText, PasswordText,
    PromocodeCodeInput, RowNameText, SignedNumber, WebUrl, parse_object, parse_whole_number, parse_word,
};
