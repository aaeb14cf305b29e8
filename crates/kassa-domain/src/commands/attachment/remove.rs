//! The removal of an attachment.

use crate::commands::usage::refund;
use crate::context::Context;
use crate::context::command::Command;
use crate::model::attachment::Attachment;
use crate::model::change::{ChangeType, Facts};
use crate::model::quota::QuotaKind;
use crate::permission;
use crate::refusal::Refusal;
use crate::values::hex128::Hex128;
use crate::values::id::ShardTag;
use crate::values::resource_ids::{AttachmentId, PartnerId};
use crate::view::{EVENTS_AT_MAX, ReadSet, View};

/// Removes an attachment that nothing shows. Its bytes are deleted after that. Removing it again changes nothing.
///
/// Whoever shows an attachment locks it, too: one that is being removed is shown nowhere, and one that is being shown is
/// not removed.
#[derive(Debug)]
pub struct RemoveAttachment {
    /// Which.
    pub attachment: AttachmentId,
    /// Whose it is, which never changes.
    pub author: PartnerId,
    /// What names its bytes, and what pictures name it by. It never changes.
    pub token: Hex128,
}

impl Command for RemoveAttachment {
    type Outcome = Attachment;

    fn shard(&self) -> ShardTag {
        self.attachment.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.partners.push(self.author);
        read_set.attachments.push(self.attachment);
        read_set.partners_showing.push(self.token);
        read_set.events_showing.push(self.token);
    }

    fn weight(&self) -> u32 {
        EVENTS_AT_MAX
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Attachment, Refusal> {
        let found = view.attachments.get(self.attachment);
        let found = found.filter(|attachment| permission::sees_attachment(cx.actor, attachment));
        let mut attachment = found.ok_or(Refusal::NotFound("attachment"))?.clone();
        permission::upload_attachment(cx.actor, attachment.author)?;
        if attachment.removed {
            return Ok(attachment);
        }
        if let Some(partner) = view.partners.rows().find(|partner| partner.shows(self.token)) {
            return Err(Refusal::AttachmentInUse { what: "partner", id: partner.id.to_string() });
        }
        if let Some(event) = view.events.rows().find(|event| event.details.media.shows(self.token)) {
            return Err(Refusal::AttachmentInUse { what: "event", id: event.id.to_string() });
        }
        refund(attachment.author, QuotaKind::AttachmentBytes, attachment.length, view)?;
        attachment.removed = true;
        cx.state(&mut attachment, ChangeType::AttachmentRemoved, Facts::none(), view);
        view.attachments.put(attachment.clone());
        Ok(attachment)
    }
}
