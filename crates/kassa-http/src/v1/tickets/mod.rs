//! Tickets of an event, and of one of its sets.

pub(super) mod get;
pub(super) mod list;
pub(super) mod list_of_set;
pub(super) mod model;
mod stream;
