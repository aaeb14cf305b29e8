//! Mails from the row to the reader: when they are tried, what they say, and how they leave.
#![expect(clippy::unwrap_used, reason = "a test stops where something is missing")]

mod attempts;
mod content;
mod export;
mod harness;
mod injection;
mod order_links;
mod outbox;
mod parsed_mail;
mod payment_instructions;
mod sale;
mod smtp;
mod smtp_server;
