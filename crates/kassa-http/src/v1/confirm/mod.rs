//! `/v1/services/confirm`

pub(super) mod create;
