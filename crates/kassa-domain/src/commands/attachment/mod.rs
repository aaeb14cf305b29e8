//! Commands on attachments.

mod create;
mod discard;
mod remove;

pub use create::CreateAttachment;
pub use discard::NoteDiscardedBytes;
pub use remove::RemoveAttachment;
