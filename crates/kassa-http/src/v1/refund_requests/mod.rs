//! `/v1/resources/refund_requests`

pub(super) mod create;
pub(super) mod decide;
pub(super) mod get;
pub(super) mod list;
pub(super) mod model;
pub(super) mod update;
