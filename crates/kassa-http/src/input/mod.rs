//! Requests, parsed: bodies field by field so that every bad one is named, queries, and ids in
//! paths.

mod body;
mod field;
mod media;
mod path;
mod query;
mod values;

pub(crate) use body::{Json, is_beyond_dropping, next_piece, too_large};
pub(crate) use field::{FromJson, Input, Problems, must};
pub(crate) use media::{Cover, Logo, media_patch};
pub(crate) use path::PathId;
pub(crate) use query::{Query, well_formed};
pub(crate) use values::{
    Address, Amount, AnyText, Count, Flag, List, LongText, Map, Name, Number, PasswordText, Ref, Text, Web, object,
};
