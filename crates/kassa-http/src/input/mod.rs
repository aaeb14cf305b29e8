//! Requests, parsed: bodies field by field so that every bad one is named, queries, and ids in
//! paths.

mod body;
mod field;
mod media;
mod order;
mod path;
mod pieces;
mod query;
mod refund;
mod values;

pub(crate) use body::{Json, MapJson, MaybeJson, is_beyond_dropping, read, too_large};
pub(crate) use field::{Fields, FromJson, Input, Problems, bad, fields, must, requires};
pub(crate) use media::{Cover, Logo, media_patch};
pub(crate) use order::{ONE_OF_BOTH, SetCounts, StepInput, TicketList, codes, wanted};
pub(crate) use path::{PathId, PathText};
pub(crate) use pieces::{Pieces, Room, Taken};
pub(crate) use query::{Query, well_formed};
pub(crate) use refund::{REFUND_STATES, RefundStepInput, culprit};
pub(crate) use values::{
    Address, Amount, AnyText, CodeText, Count, Flag, List, LongText, Name, Number, PasswordText, RowText, Several,
    Text, Web, object, one_of,
};
