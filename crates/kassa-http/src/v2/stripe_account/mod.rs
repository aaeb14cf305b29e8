//! `/v2/services/stripe_account`: who takes the cards of a partner's shop.

pub(super) mod get;
mod model;
pub(super) mod remove;
pub(super) mod set;
