//! Commands on sessions.

mod end;
mod extend;
mod shard;
mod start;

pub use end::EndSession;
pub use extend::ExtendSession;
pub use start::StartSession;
