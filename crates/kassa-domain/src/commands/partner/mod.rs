//! Commands on partners.

mod create;
mod patch;
mod update;

pub use create::CreatePartner;
pub use patch::{LEGAL_KEYS_MAX, PartnerPatch};
pub use update::UpdatePartner;
