//! Pictures that an event or a partner shows. What is shown of an attachment never changes, so that
//! it is kept beside them: reading them needs no look-up.

use serde::{Deserialize, Serialize};

use crate::actor::Actor;
use crate::attachment::{Attachment, AttachmentId, Hex128, MediaType};
use crate::partner::PartnerId;
use crate::patch::Patch;
use crate::permission;
use crate::refusal::Refusal;
use crate::view::View;

/// The pictures of an event (its cover) or of a partner (its logo), in three sizes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Media {
    /// The picture: `cover`, `logo`.
    pub main: Option<MediaItem>,
    /// A small one: `cover_small`, `logo_small`.
    pub small: Option<MediaItem>,
    /// As it came from its maker: `cover_original`, `logo_original`.
    pub original: Option<MediaItem>,
}

/// What is shown of an attachment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MediaItem {
    /// Which.
    pub id: AttachmentId,
    /// Who uploaded it.
    pub author: PartnerId,
    /// What it is.
    pub content_type: MediaType,
    /// Its length in bytes.
    pub length: i64,
    /// The MD5 of the bytes.
    pub md5: Hex128,
    /// Opens the bytes to whoever has it.
    pub token: Hex128,
}

impl From<&Attachment> for MediaItem {
    fn from(attachment: &Attachment) -> Self {
        let Attachment { id, author, ref content_type, length, md5, token, .. } = *attachment;
        Self { id, author, content_type: content_type.clone(), length, md5, token }
    }
}

/// A partial update of [`Media`]: with ids of attachments as a request names them, then with what
/// is shown of them.
#[derive(Clone, Debug)]
pub struct MediaPatch<T = AttachmentId> {
    /// The picture.
    pub main: Patch<T>,
    /// A small one.
    pub small: Patch<T>,
    /// As it came from its maker.
    pub original: Patch<T>,
}

impl<T> Default for MediaPatch<T> {
    fn default() -> Self {
        Self { main: Patch::Keep, small: Patch::Keep, original: Patch::Keep }
    }
}

impl<T> MediaPatch<T> {
    /// Takes all pictures away.
    pub fn clear() -> Self {
        Self { main: Patch::Clear, small: Patch::Clear, original: Patch::Clear }
    }
}

impl MediaPatch {
    /// The attachments that it names.
    pub fn attachments(&self) -> impl Iterator<Item = AttachmentId> {
        [&self.main, &self.small, &self.original].into_iter().filter_map(|patch| patch.clone().value())
    }

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

impl Media {
    pub(crate) fn apply(&mut self, patch: MediaPatch<MediaItem>) {
        patch.main.apply(&mut self.main);
        patch.small.apply(&mut self.small);
        patch.original.apply(&mut self.original);
    }
}
