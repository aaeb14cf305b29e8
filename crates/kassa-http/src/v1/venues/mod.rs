//! `/v1/resources/venues`

pub(super) mod create;
pub(super) mod delete;
pub(super) mod get;
pub(super) mod list;
pub(super) mod model;
pub(super) mod update;
