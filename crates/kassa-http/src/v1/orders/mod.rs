//! `/v1/resources/orders`

pub(super) mod create;
pub(super) mod delete;
pub(super) mod get;
pub(super) mod input;
pub(super) mod list;
pub(super) mod model;
pub(super) mod statuses;
pub(super) mod tickets;
pub(super) mod update;
