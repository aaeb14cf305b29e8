//! Webhooks from end to end: a change of a shop, and what a receiver gets of it over a socket.
#![expect(clippy::unwrap_used, reason = "a test stops where something is missing")]

mod failing;
mod messages;
mod receiver;
mod replays;
mod shop;
mod signatures;
