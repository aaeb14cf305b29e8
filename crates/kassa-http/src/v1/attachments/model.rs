//! An attachment as v1 shows it.

use kassa_domain::attachment::{Attachment, AttachmentId, Bits, MediaType};
use kassa_domain::partner::PartnerId;
use serde::Serialize;

use crate::base::Base;
use crate::wire::Time;

/// An attachment (seed, Attachment).
#[derive(Debug, Serialize)]
pub(crate) struct AttachmentBody {
    id: AttachmentId,
    author: PartnerId,
    content_type: MediaType,
    length: i64,
    md5: Bits,
    url: String,
    removed: bool,
    created_at: Time,
    updated_at: Time,
}

impl AttachmentBody {
    pub(crate) fn new(attachment: &Attachment, base: &Base) -> Self {
        Self {
            id: attachment.id,
            author: attachment.author,
            content_type: attachment.content_type.clone(),
            length: attachment.length,
            md5: attachment.md5,
            url: base.file(attachment.token),
            removed: attachment.removed,
            created_at: Time(attachment.created_at),
            updated_at: Time(attachment.updated_at),
        }
    }
}
