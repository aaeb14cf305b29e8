//! Changes, as version 2 shows them: in webhooks, whose body is a change.

mod data;
mod facts;
mod messages;
mod model;
mod operators;

pub(in crate::v2) use facts::FactsBody;
pub use messages::ChangeMessages;
pub(in crate::v2) use model::{ChangeRef, MalformedChangeRef};
pub use operators::change_for_operators;
