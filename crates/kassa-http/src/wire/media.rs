//! Pictures of events and partners in answers (api-facts §3.6).

use kassa_domain::attachment::{AttachmentId, Bits, MediaType};
use kassa_domain::media::{Media, MediaItem};
use kassa_domain::partner::PartnerId;
use serde::{Serialize, Serializer};

use crate::base::Base;

/// The keys of [`Media`] in one kind of resource: the picture, a small one, the original.
pub(crate) type MediaKeys = [&'static str; 3];
/// Those of an event.
pub(crate) const COVER: MediaKeys = ["cover", "cover_small", "cover_original"];
/// Those of a partner.
pub(crate) const LOGO: MediaKeys = ["logo", "logo_small", "logo_original"];

/// An object with an entry for each picture that is there; `{}` without any.
#[derive(Debug)]
pub(crate) struct MediaBody(Vec<(&'static str, ItemBody)>);

#[derive(Debug, Serialize)]
struct ItemBody {
    id: AttachmentId,
    author: PartnerId,
    content_type: MediaType,
    length: i64,
    md5hash: Bits,
    url: String,
}

impl MediaBody {
    pub(crate) fn new(media: &Media, [main, small, original]: MediaKeys, base: &Base) -> Self {
        let all = [(main, &media.main), (small, &media.small), (original, &media.original)];
        let entry = |(key, item): (_, &Option<_>)| item.as_ref().map(|item| (key, ItemBody::new(item, base)));
        Self(all.into_iter().filter_map(entry).collect())
    }
}

impl ItemBody {
    fn new(item: &MediaItem, base: &Base) -> Self {
        let MediaItem { id, author, ref content_type, length, md5, token } = *item;
        Self { id, author, content_type: content_type.clone(), length, md5hash: md5, url: base.file(token) }
    }
}

impl Serialize for MediaBody {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, item)| (key, item)))
    }
}
