//! Changes, as version 2 shows them: in webhooks, whose body is a change.

mod data;
mod facts;
mod messages;
mod model;

pub use messages::ChangeMessages;
pub(in crate::v2) use model::{ChangeRef, MalformedChangeRef};
