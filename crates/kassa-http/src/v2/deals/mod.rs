//! `/v2/resources/deals`

pub(super) mod history;
