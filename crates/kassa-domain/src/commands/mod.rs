//! The commands: one file for each, by resource.

pub(crate) mod api_key;
pub(crate) mod attachment;
pub(crate) mod change;
pub(crate) mod deal;
pub(crate) mod event;
pub(crate) mod hall_map;
pub(crate) mod idempotency;
pub(crate) mod invitation;
pub(crate) mod mail;
pub(crate) mod media;
pub(crate) mod node;
pub(crate) mod order;
pub(crate) mod partner;
pub(crate) mod payment;
pub(crate) mod payment_closing;
pub(crate) mod promocode;
pub(crate) mod promotion;
pub(crate) mod refund;
pub(crate) mod sales;
pub(crate) mod session;
pub(crate) mod set;
pub(crate) mod usage;
pub(crate) mod user;
pub(crate) mod venue;
pub(crate) mod webhook;
pub(crate) mod widget_token;
