//! Random acts of organizers, agents, buyers and the house, as data, and how each is given to an engine. The model
//! test and the simulation play by them.

pub mod acts;
pub mod answer;
pub mod known;
pub mod perform;
pub mod server;

pub use acts::Act;
pub use answer::{Answer, Report};
pub use known::Known;
pub use perform::Player;
pub use server::Server;
