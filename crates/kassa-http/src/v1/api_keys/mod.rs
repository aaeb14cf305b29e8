//! `/v1/resources/partners/{partner}/api_keys`

pub(super) mod create;
pub(super) mod delete;
pub(super) mod get;
pub(super) mod list;
pub(super) mod model;
pub(super) mod update;
