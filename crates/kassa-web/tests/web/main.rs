//! Pages as browsers get them, in process.
#![expect(clippy::unwrap_used, reason = "a test stops where something is missing")]

mod assets;
mod console;
mod events;
mod harness;
mod legal;
mod lists;
mod lost_tickets;
mod organizers;
mod purchases;
mod safety;
mod seats;
mod widget;
mod words;
