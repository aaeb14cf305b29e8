//! `/v1/resources/attachments`

pub(super) mod create;
pub(super) mod get;
mod intake;
pub(super) mod list;
pub(super) mod model;
