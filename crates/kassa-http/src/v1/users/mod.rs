//! `/v1/resources/users`

pub(super) mod create;
pub(super) mod get;
pub(super) mod model;
pub(super) mod update;
