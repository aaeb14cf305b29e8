//! Commands on promocodes.

mod create;
mod exhaustion;
mod update;

pub use create::CreatePromocode;
pub use update::UpdatePromocode;
