//! Attachments: files that a partner has uploaded. The bytes lie in an object
//! store; here is what is known of them. None of it ever changes but that it is removed, and its bytes with it.

use super::row::Row;
use crate::values::hex128::Hex128;
use crate::values::media::MediaItem;
use crate::values::media_type::MediaType;
use crate::values::resource_ids::{AttachmentId, PartnerId};
use crate::values::revision::Revision;
use crate::values::time::Timestamp;

impl From<&Attachment> for MediaItem {
    fn from(attachment: &Attachment) -> Self {
        let Attachment { id, author, ref content_type, length, md5, token, .. } = *attachment;
        Self { id, author, content_type: content_type.clone(), length, md5, token }
    }
}

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
    pub revision: Revision,
    /// Whether its bytes were deleted, too: that follows its removal.
    pub bytes_discarded: bool,
}

impl Attachment {
    /// Whether its bytes may be there although it was removed.
    pub fn must_discard_bytes(&self) -> bool {
        self.removed && !self.bytes_discarded
    }
}

impl Row for Attachment {
    type Key = AttachmentId;

    fn key(&self) -> AttachmentId {
        self.id
    }
}
