//! The whole program: the binary itself, real sockets, real signals.

#![expect(clippy::unwrap_used, reason = "a test stops where something is missing")]

mod admin;
mod attacks;
mod backup;
mod bench;
mod buyers;
mod changes;
mod changes_stream;
mod client;
mod commands;
mod contested;
mod copy;
mod crashes;
mod demo;
mod demo_output;
mod export;
mod feed_reader;
mod file_modes;
mod fleet;
mod flood;
mod foreign_files;
mod full_disk;
mod graceful_stop;
mod idempotent_retries;
mod limits;
mod mails;
mod metrics;
mod migrate;
mod misbehaving_sockets;
mod postgres;
mod read_only;
mod sale;
mod sales_snapshot;
mod secrets;
mod server;
mod server_kill;
mod slow_clients;
mod sqlite_file;
mod startup_errors;
mod tenant;
mod verify;
mod waiting;
mod webhooks;
