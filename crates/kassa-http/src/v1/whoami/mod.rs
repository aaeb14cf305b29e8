//! `/v1/services/whoami`: the session of a user.

pub(super) mod get;
pub(super) mod log_in;
pub(super) mod log_out;
