//! An attachment as v1 shows it.

use kassa_domain::attachment::{Attachment, Hex128, MediaType};
use serde::Serialize;
use utoipa::ToSchema;

use crate::base_url::BaseUrl;
use crate::wire::{AttachmentRef, IdRef, PartnerRef, Time};

/// An attachment.
// seed, Attachment
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Attachment)]
pub(crate) struct AttachmentBody {
    id: AttachmentRef,
    author: PartnerRef,
    #[schema(value_type = String)]
    content_type: MediaType,
    /// In bytes.
    length: i64,
    #[schema(value_type = String)]
    md5: Hex128,
    /// Where anybody gets the file; nobody can guess it.
    #[schema(format = "uri")]
    url: String,
    removed: bool,
    created_at: Time,
    updated_at: Time,
}

impl AttachmentBody {
    pub(crate) fn new(attachment: &Attachment, base: &BaseUrl) -> Self {
        Self {
            id: IdRef(attachment.id),
            author: IdRef(attachment.author),
            content_type: attachment.content_type.clone(),
            length: attachment.length,
            md5: attachment.md5,
            url: base.file_url(attachment.token),
            removed: attachment.removed,
            created_at: Time(attachment.created_at),
            updated_at: Time(attachment.updated_at),
        }
    }
}
