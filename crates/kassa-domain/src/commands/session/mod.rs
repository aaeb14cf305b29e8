//! Commands on sessions.

mod end;
mod extend;
mod purge;
mod shard;
mod start;

pub use end::EndSession;
pub use extend::ExtendSession;
pub use purge::PurgeSessions;
pub use start::StartSession;
