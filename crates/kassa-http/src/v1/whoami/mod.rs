//! `/v1/services/whoami`: the session of a user.

pub(super) mod end;
pub(super) mod show;
pub(super) mod start;
