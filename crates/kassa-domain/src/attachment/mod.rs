//! Attachments: files that a partner has uploaded (seed, Attachment). The bytes lie in an object
//! store; here is what is known of them. None of it ever changes but `removed`.

mod create;
mod hex128;
mod media_type;

pub use create::CreateAttachment;
pub use hex128::{Hex128, MalformedHex128};
pub use media_type::{MalformedMediaType, MediaType};

use crate::id::Id;
use crate::partner::PartnerId;
use crate::time::Timestamp;
use crate::view::Row;

/// The id of an attachment.
pub type AttachmentId = Id<Attachment>;

/// An attachment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// The id.
    pub id: AttachmentId,
    /// The partner that uploaded it.
    pub author: PartnerId,
    /// What it is, as the author said.
    pub content_type: MediaType,
    /// Its length in bytes.
    pub length: i64,
    /// The MD5 of the bytes.
    pub md5: Hex128,
    /// Random: names the bytes, and opens them to whoever has the url.
    pub token: Hex128,
    /// Whether it was deleted.
    pub removed: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last edited.
    pub updated_at: Timestamp,
    /// Counts edits.
    pub revision: i64,
}

impl Row for Attachment {
    type Key = AttachmentId;

    fn key(&self) -> AttachmentId {
        self.id
    }
}
