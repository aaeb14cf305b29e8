//! `/v2/resources/refund_requests`

pub(super) mod create;
pub(super) mod get;
pub(super) mod list;
pub(super) mod model;
mod refs;
pub(super) mod update;
