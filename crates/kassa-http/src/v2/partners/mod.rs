//! `/v2/resources/partners`

pub(super) mod history;
