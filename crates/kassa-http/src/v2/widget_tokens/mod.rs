//! `/v2/services/widget_tokens`: by what pages of other sites name the shop of a partner.

pub(super) mod create;
pub(super) mod delete;
pub(super) mod list;
mod model;
