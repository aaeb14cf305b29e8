//! Documents of an order: its tickets as one PDF, a page each, and its event as an entry of a calendar.
//!
//! What goes in is plain: texts, times and amounts. Nothing here knows rows, storage or the network, so that the same
//! input makes the same document.

pub mod calendar;
mod clean_text;
mod fonts;
mod pdf;
mod qr;
mod shaping;
pub mod tickets;
mod times;

pub use fonts::{FontError, Fonts};
pub use kassa_texts::{Language, ReturnDeadline, ReturnTerms};
pub use pdf::DocumentError;
