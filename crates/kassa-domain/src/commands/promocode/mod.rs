//! Commands on promocodes.

mod create;
mod update;

pub use create::CreatePromocode;
pub use update::UpdatePromocode;
