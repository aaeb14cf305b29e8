//! Commands on nodes and on what holds for the whole installation.

mod claim;
mod register_secret_fingerprint;
mod release;
mod renew_lease;

pub use claim::ClaimNode;
pub use register_secret_fingerprint::RegisterSecretFingerprint;
pub use release::ReleaseNode;
pub use renew_lease::RenewNodeLease;
