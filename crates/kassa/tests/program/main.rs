//! The whole program: the binary itself, real sockets, real signals.

#![expect(clippy::unwrap_used, reason = "a test stops where something is missing")]

mod admin;
mod backup;
mod bench;
mod books;
mod client;
mod contested;
mod copy;
mod crashes;
mod crowd;
mod demo;
mod demo_text;
mod errors;
mod export;
mod fleet;
mod flood;
mod foreign_files;
mod full_disk;
mod hostile;
mod killed;
mod limits;
mod mails;
mod metrics;
mod migrate;
mod patience;
mod postgres;
mod program;
mod read_only;
mod sale;
mod secrets;
mod server;
mod siege;
mod sqlite_file;
mod stopped;
mod tenant;
mod verify;
