//! Requests, parsed: bodies field by field so that every bad one is named, queries, and ids in
//! paths.

mod body;
mod body_chunks;
mod field;
mod media;
mod order;
mod path;
mod query;
mod refund;
mod values;

pub(crate) use body::{Json, OptionalJson, body_too_large, exceeds_discard_limit, read_body};
pub(crate) use body_chunks::{BodyChunks, BodyMemory, BodyMemoryPermit};
pub(crate) use field::{Fields, FromJson, Input, Problems, fields, invalid_value, required_value, requires};
pub(crate) use media::{CoverInput, LogoInput, media_patch};
pub(crate) use order::{
    OrderStatusInput, SetCounts, TICKETS_AND_RANDOM, TicketList, promocode_codes, ticket_selection,
};
pub(crate) use path::{PathId, PathText};
pub(crate) use query::{Query};
pub(crate) use refund::{REFUND_STATES, RefundStatusInput, parse_culprit};
pub(crate) use values::{
    AnyText, BoundedNumber, CommaSeparated, EmailText, Flag, LineText, List, LongText, MoneyInput, NameText,
    PasswordText, PromocodeCodeInput, RowNameText, SignedNumber, WebUrl, parse_object, parse_word,
};
