//! Mails from the row to the reader: when they are tried, what they say, and how they leave.
#![expect(clippy::unwrap_used, reason = "a test stops where something is missing")]

mod export;
mod hostile;
mod house;
mod letters;
mod outbox;
mod reader;
mod sale;
mod smtp;
mod smtp_server;
mod tries;
