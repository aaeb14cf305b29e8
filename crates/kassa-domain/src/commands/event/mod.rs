//! Commands on events.

mod create;
mod facts;
mod patch;
mod update;

pub use create::CreateEvent;
pub use patch::EventPatch;
pub use update::UpdateEvent;
