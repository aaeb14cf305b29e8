//! Commands on partners.

mod create;
mod facts;
mod patch;
mod set_quotas;
mod set_stripe_account;
mod suspend;
mod team;
mod update;

pub use create::CreatePartner;
pub use patch::{LEGAL_KEYS_MAX, PartnerPatch};
pub use set_quotas::SetPartnerQuotas;
pub use set_stripe_account::SetStripeAccount;
pub use suspend::{RestorePartner, SuspendPartner};
pub use team::{ChangeManagerRole, InviteManager, RemoveManager};
pub use update::{ManagerRef, UpdatePartner};
