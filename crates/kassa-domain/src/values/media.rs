//! Pictures that an event or a partner shows. What is shown of an attachment never changes, so that
//! it is kept beside them: reading them needs no look-up.

use serde::{Deserialize, Serialize};

use super::hex128::Hex128;
use super::media_type::MediaType;
use super::patch::Patch;
use super::resource_ids::{AttachmentId, PartnerId};

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
}

impl Media {
    /// Its pictures.
    pub fn items(&self) -> impl Iterator<Item = &MediaItem> {
        [&self.main, &self.small, &self.original].into_iter().flatten()
    }

    /// Whether one of them is the attachment of this token.
    pub fn shows(&self, token: Hex128) -> bool {
        self.items().any(|item| item.token == token)
    }

    pub(crate) fn apply(&mut self, patch: MediaPatch<MediaItem>) {
        patch.main.apply(&mut self.main);
        patch.small.apply(&mut self.small);
        patch.original.apply(&mut self.original);
    }
}
