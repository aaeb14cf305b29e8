//! The whole program: the binary itself, real sockets, real signals.

#![expect(clippy::unwrap_used, reason = "a test stops where something is missing")]

mod admin;
mod asked_again;
mod bench;
mod books;
mod client;
mod contested;
mod copy;
mod crowd;
mod demo;
mod demo_text;
mod errors;
mod export;
mod fleet;
mod foreign_files;
mod full_disk;
mod hostile;
mod killed;
mod limits;
mod mails;
mod migrate;
mod patience;
mod postgres;
mod program;
mod sale;
mod server;
mod sqlite_file;
mod stopped;
mod tenant;
mod verify;
