//! Commands on attachments.

mod create;

pub use create::CreateAttachment;
