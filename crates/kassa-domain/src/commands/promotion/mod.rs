//! Commands on promotions.

mod create;
mod levels;
mod remove;
mod shared;
mod update;

pub use create::CreatePromotion;
pub use levels::{RequestedLevel, RequestedLevelValue};
pub use remove::RemovePromotion;
pub use update::UpdatePromotion;
