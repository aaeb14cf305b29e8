//! Tickets of an event.

pub(super) mod list;
pub(super) mod model;
