//! An attachment as v1 shows it.

use kassa_domain::attachment::{Attachment, Hex128, MediaType};

use crate::base_url::BaseUrl;
use crate::route::ResourceKind;
use crate::wire::{AttachmentRef, IdRef, PartnerRef, Time, WireField, wire_form};

wire_form! {
    /// An attachment.
    #[derive(Debug)]
    #[schema(as = Attachment)]
    pub(crate) struct AttachmentBody {
        /// The id of the attachment, which events and partners name in `media`.
        id: AttachmentRef,
        /// The partner that uploaded it.
        author: PartnerRef,
        /// The media type that it was uploaded with, such as `image/png`.
        #[schema(value_type = String)]
        content_type: MediaType,
        /// The size of the file, in bytes.
        length: i64,
        /// The MD5 digest of the file: 32 hexadecimal digits.
        #[schema(value_type = String)]
        md5: Hex128,
        /// The address of the file. Anyone who has it can download the file; it cannot be guessed.
        #[schema(format = "uri")]
        url: String,
        /// Whether it is removed.
        removed: bool,
        /// When it was uploaded.
        created_at: Time,
        /// When it was last changed.
        updated_at: Time,
    }
}

pub(crate) static ATTACHMENT: ResourceKind = ResourceKind::new("attachment", AttachmentBody::KIND);

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
