//! `/v1/resources/deals`

pub(super) mod create;
pub(super) mod get;
pub(super) mod list;
pub(super) mod model;
pub(super) mod update;
