//! `/v2/resources/partners/{partner}/api_keys/{key}/requests`: what was asked with a key.

pub(super) mod list;
mod model;
