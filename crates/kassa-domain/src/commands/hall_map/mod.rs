//! Commands on hall maps.

mod create;
mod sectors;
mod update;

pub use create::CreateHallMap;
pub use sectors::{SEATS_PER_MAP_MAX, SECTORS_PER_MAP_MAX};
pub use update::UpdateHallMap;
