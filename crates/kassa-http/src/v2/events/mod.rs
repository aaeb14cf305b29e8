//! `/v2/resources/events`

pub(super) mod history;
