//! Every statement that looks rows up uses an index. The databases themselves are asked how they would run each.
#![expect(clippy::unwrap_used, reason = "a test stops where something is missing")]

mod cases;
mod postgres;
mod sqlite;
