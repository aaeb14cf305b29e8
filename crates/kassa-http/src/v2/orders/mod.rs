//! `/v2/resources/orders` and `/v2/services/orders`

mod answers;
pub(super) mod create;
mod documents;
pub(super) mod event_ics;
pub(super) mod export;
pub(super) mod get;
mod input;
pub(super) mod links;
pub(super) mod list;
pub(super) mod model;
pub(super) mod quote;
mod seats;
mod shortfall;
pub(super) mod tickets_mail;
pub(super) mod tickets_pdf;
pub(super) mod update;
pub(super) mod user_data;
