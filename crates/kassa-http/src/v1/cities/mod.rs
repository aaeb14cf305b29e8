//! `/v1/resources/cities`

pub(super) mod list;
pub(super) mod model;
