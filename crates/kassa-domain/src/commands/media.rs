//! From the attachments that a request names to what is shown of them.

use crate::context::actor::Actor;
use crate::model::attachment::Attachment;
use crate::model::shop::{ShopFilesPatch, ShopTermsPatch};
use crate::permission;
use crate::refusal::Refusal;
use crate::values::media::{MediaItem, MediaPatch};
use crate::values::patch::Patch;
use crate::values::resource_ids::{AttachmentId, PartnerId};
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
    let attachment = publishable(id, actor, view)?;
    if attachment.content_type.is_safe_image() { Ok(attachment.into()) } else { Err(Refusal::AttachmentNotImage(id)) }
}

impl ShopFilesPatch {
    /// The same with what is shown. A shop shows only what its own partner has uploaded: a picture at its head, and a PDF.
    pub(crate) fn resolve(
        &self,
        shop: PartnerId,
        actor: &Actor,
        view: &View,
    ) -> Result<ShopFilesPatch<MediaItem>, Refusal> {
        let own =
            |item: MediaItem| if item.author == shop { Ok(item) } else { Err(Refusal::AttachmentUnknown(item.id)) };
        let header = match &self.header {
            Patch::Keep => Patch::Keep,
            Patch::Clear => Patch::Clear,
            Patch::Set(id) => Patch::Set(own(resolve_item(*id, actor, view)?)?),
        };
        let terms = match &self.terms {
            Patch::Keep => Patch::Keep,
            Patch::Clear => Patch::Clear,
            Patch::Set(ShopTermsPatch { text, file }) => {
                let file = match file {
                    Patch::Keep => Patch::Keep,
                    Patch::Clear => Patch::Clear,
                    Patch::Set(id) => Patch::Set(own(resolve_pdf(*id, actor, view)?)?),
                };
                Patch::Set(ShopTermsPatch { text: text.clone(), file })
            }
        };
        Ok(ShopFilesPatch { header, terms })
    }
}

fn resolve_pdf(id: AttachmentId, actor: &Actor, view: &View) -> Result<MediaItem, Refusal> {
    let attachment = publishable(id, actor, view)?;
    if attachment.content_type.is_pdf() { Ok(attachment.into()) } else { Err(Refusal::AttachmentNotPdf(id)) }
}

/// An attachment that the actor may show.
fn publishable<'a>(id: AttachmentId, actor: &Actor, view: &'a View) -> Result<&'a Attachment, Refusal> {
    let attachment = view.attachments.get(id);
    let attachment = attachment.filter(|attachment| permission::may_publish_attachment(actor, attachment));
    attachment.ok_or(Refusal::AttachmentUnknown(id))
}
