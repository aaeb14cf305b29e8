//! Commands on nodes and on what holds for the whole installation.

mod claim;
mod claim_backups;
mod register_secret_fingerprint;
mod release;
mod renew_lease;

pub use claim::ClaimNode;
pub use claim_backups::ClaimBackups;
pub use register_secret_fingerprint::RegisterSecretFingerprint;
pub use release::ReleaseNode;
pub use renew_lease::RenewNodeLease;
