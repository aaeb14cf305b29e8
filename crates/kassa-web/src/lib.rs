//! Pages for people who buy, and the console of those who sell.
//!
//! A page is made of a few requests to the interface, in process, and a template: what may be seen, what it costs and what
//! is refused, the interface says. Pages that everybody may see are the same bytes for everybody who reads the same
//! language.

mod accent;
mod answer;
mod api;
mod assets;
mod calendar;
mod console;
mod embedding;
mod error;
mod form;
mod frame;
mod framing;
mod hall;
mod ics;
mod json_ld;
mod key_waits;
mod model;
mod operator_texts;
mod page_cache;
mod pages;
mod qr;
mod request;
mod routes;
mod seat_data;
mod seat_selection;
mod shop;
mod site;
mod slug;
mod views;
mod widget_scripts;

pub use kassa_texts::Currency;
pub use operator_texts::{LegalText, OperatorTexts, UnknownText};
pub use shop::ShopSettings;
pub use site::Site;
