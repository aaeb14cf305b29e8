//! `/v1/resources/venues/{venue}/maps`

pub(super) mod create;
mod drawing;
pub(super) mod get;
pub(super) mod list;
pub(super) mod model;
pub(super) mod update;
