//! `/v1/resources/countries`

pub(super) mod list;
pub(super) mod model;
