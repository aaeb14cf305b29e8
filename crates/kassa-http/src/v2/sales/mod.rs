//! `/v2/services/sales`: what was sold, added up.

pub(super) mod get;
mod model;
