//! `/v2/resources/partners/{partner}/managers`: who manages a partner, and as what.

pub(super) mod create;
pub(super) mod delete;
pub(super) mod list;
mod model;
pub(super) mod update;
