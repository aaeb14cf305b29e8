//! A new attachment.

use crate::commands::usage::{charge, check_room};
use crate::context::Context;
use crate::context::command::Command;
use crate::model::attachment::Attachment;
use crate::model::change::{ChangeType, FactName, Facts};
use crate::model::partner::Partner;
use crate::model::quota::{QuotaKind, Quotas};
use crate::permission;
use crate::refusal::Refusal;
use crate::values::hex128::Hex128;
use crate::values::id::ShardTag;
use crate::values::media_type::MediaType;
use crate::values::resource_ids::PartnerId;
use crate::values::revision::Revision;
use crate::view::{ReadSet, View};

/// Makes the row of a file whose bytes lie in the object store already: a row never names bytes
/// that are not there.
#[derive(Debug)]
pub struct CreateAttachment {
    /// The partner that acts.
    pub author: PartnerId,
    /// What it is.
    pub content_type: MediaType,
    /// How many bytes were stored.
    pub length: i64,
    /// The MD5 of the bytes.
    pub md5: Hex128,
    /// The random bits under which the bytes lie.
    pub token: Hex128,
}

impl CreateAttachment {
    /// Refuses a file for which there is no room, before its bytes are stored. Whether there is room then, the command
    /// says.
    pub fn check_room(author: &Partner, length: i64, quotas: &Quotas) -> Result<(), Refusal> {
        check_room(author, QuotaKind::Attachments, 1, quotas)?;
        check_room(author, QuotaKind::AttachmentBytes, length.max(1), quotas)
    }
}

impl Command for CreateAttachment {
    type Outcome = Attachment;

    fn shard(&self) -> ShardTag {
        self.author.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.partners.push(self.author);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Attachment, Refusal> {
        permission::upload_attachment(cx.actor, self.author)?;
        if view.partners.get(self.author).is_none() {
            return Err(Refusal::NotFound("partner"));
        }
        let mut attachment = Attachment {
            id: cx.root_id(),
            author: self.author,
            content_type: self.content_type.clone(),
            length: self.length,
            md5: self.md5,
            token: self.token,
            removed: false,
            created_at: cx.now,
            updated_at: cx.now,
            revision: Revision::default(),
            bytes_discarded: false,
        };
        charge(self.author, QuotaKind::Attachments, 1, &cx.settings.quotas, view)?;
        charge(self.author, QuotaKind::AttachmentBytes, self.length, &cx.settings.quotas, view)?;
        let facts = Facts::none().with(FactName::Length, attachment.length);
        cx.state(&mut attachment, ChangeType::AttachmentCreated, facts, view);
        view.attachments.put(attachment.clone());
        Ok(attachment)
    }
}
