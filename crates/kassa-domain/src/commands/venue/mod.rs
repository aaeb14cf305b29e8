//! Commands on venues.

mod create;
mod patch;
mod update;

pub use create::CreateVenue;
pub use patch::VenuePatch;
pub use update::UpdateVenue;
