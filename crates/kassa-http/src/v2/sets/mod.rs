//! `/v2/resources/events/{event}/sets`

pub(super) mod history;
