//! Values: ids, money, time, texts. They know of no rows.

pub(crate) mod bank;
pub(crate) mod batch_id;
pub mod checkout;
pub(crate) mod email;
pub(crate) mod feed_cursor;
pub mod field_selection;
pub mod hex;
pub(crate) mod hex128;
pub(crate) mod id;
pub(crate) mod lifetime_patch;
pub mod media;
pub(crate) mod media_type;
pub mod money;
pub mod natural_sort;
pub mod patch;
pub mod price;
pub(crate) mod promocode_text;
pub(crate) mod refund_policy;
pub(crate) mod resource_ids;
pub(crate) mod revision;
pub mod seat_advice;
pub(crate) mod seat_numbers;
pub mod seating;
pub mod single_seats;
pub mod time;
pub(crate) mod web_origin;
