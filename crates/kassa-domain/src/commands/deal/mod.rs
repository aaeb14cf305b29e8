//! Commands on deals.

mod automatic_acceptance;
mod create;
mod proposed_terms;
mod update;

pub use create::CreateDeal;
pub use proposed_terms::ProposedTerms;
pub use update::UpdateDeal;
