//! Random actions of organizers, agents, buyers and the system, as data, and how each is sent to an engine. The model
//! test and the simulation play by them.

pub mod action_result;
pub mod actions;
mod all_rows;
pub mod known_rows;
pub mod perform;
pub mod server;

pub use action_result::{ActionReport, ActionResult};
pub use actions::Action;
pub use known_rows::KnownRows;
pub use perform::ActionRunner;
pub use server::SimServer;
