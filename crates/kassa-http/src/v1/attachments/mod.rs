//! `/v1/resources/attachments`

pub(super) mod create;
pub(super) mod get;
pub(super) mod list;
pub(super) mod model;
mod upload_body;
