//! From the attachments that a request names to what is shown of them.

use crate::context::actor::Actor;
use crate::permission;
use crate::refusal::Refusal;
use crate::values::media::{MediaItem, MediaPatch};
use crate::values::patch::Patch;
use crate::values::resource_ids::AttachmentId;
use crate::view::View;

impl MediaPatch {
    /// The same with what is shown. Each must be a safe image that the actor may show.
    pub(crate) fn resolve(&self, actor: &Actor, view: &View) -> Result<MediaPatch<MediaItem>, Refusal> {
        let one = |patch: &Patch<AttachmentId>| match patch {
            Patch::Keep => Ok(Patch::Keep),
            Patch::Clear => Ok(Patch::Clear),
            Patch::Set(id) => resolve_item(*id, actor, view).map(Patch::Set),
        };
        Ok(MediaPatch { main: one(&self.main)?, small: one(&self.small)?, original: one(&self.original)? })
    }
}

fn resolve_item(id: AttachmentId, actor: &Actor, view: &View) -> Result<MediaItem, Refusal> {
    let attachment =
        view.attachments.get(id).filter(|attachment| permission::may_publish_attachment(actor, attachment));
    let attachment = attachment.ok_or(Refusal::AttachmentUnknown(id))?;
    if attachment.content_type.is_safe_image() { Ok(attachment.into()) } else { Err(Refusal::AttachmentNotImage(id)) }
}
