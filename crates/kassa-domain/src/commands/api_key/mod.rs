//! Commands on API keys.

mod create;
mod update;

pub use create::CreateApiKey;
pub use update::UpdateApiKey;
