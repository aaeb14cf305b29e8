//! What only a database behind a network can do to the driver, and how it is reached.
#![expect(clippy::unwrap_used, reason = "a test stops where something is missing")]

mod feed;
mod lost_commits;
mod open;
mod outages;
mod proxy;
mod round_trips;
mod security;
