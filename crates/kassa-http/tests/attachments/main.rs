//! Attachments from end to end: in through the interface, onto a disk, and out again under their
//! urls.
#![expect(clippy::unwrap_used, reason = "a test stops where something is missing")]

mod downloads;
mod media;
mod removal;
mod schema;
mod serving;
mod shop;
mod shop_files;
mod uploads;
