//! Pictures of events and partners in answers (api-facts §3.6).

use std::borrow::Cow;

use kassa_domain::attachment::{Bits, MediaType};
use kassa_domain::media::{Media, MediaItem};
use serde::{Serialize, Serializer};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::base::Base;
use crate::openapi::schema;
use crate::wire::{AttachmentRef, PartnerRef, Ref};

/// The keys of [`Media`] in one kind of resource: the picture, a small one, the original.
pub(crate) type MediaKeys = [&'static str; 3];
/// Those of an event.
pub(crate) const COVER: MediaKeys = ["cover", "cover_small", "cover_original"];
/// Those of a partner.
pub(crate) const LOGO: MediaKeys = ["logo", "logo_small", "logo_original"];

/// An object with an entry for each picture that is there; `{}` without any.
#[derive(Debug)]
pub(crate) struct MediaBody(Vec<(&'static str, ItemBody)>);

/// A picture.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MediaItem)]
struct ItemBody {
    id: AttachmentRef,
    author: PartnerRef,
    #[schema(value_type = String)]
    content_type: MediaType,
    length: i64,
    #[schema(value_type = String)]
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
        Self {
            id: Ref(id),
            author: Ref(author),
            content_type: content_type.clone(),
            length,
            md5hash: md5,
            url: base.file(token),
        }
    }
}

impl Serialize for MediaBody {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, item)| (key, item)))
    }
}

impl PartialSchema for MediaBody {
    fn schema() -> RefOr<Schema> {
        let object = ObjectBuilder::new().description(Some("Pictures: covers of an event, or logos of a partner."));
        let keys = COVER.into_iter().chain(LOGO);
        keys.fold(object, |object, key| object.property(key, schema::named::<ItemBody>())).into()
    }
}

impl ToSchema for MediaBody {
    fn name() -> Cow<'static, str> {
        "Media".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((ItemBody::name().into(), ItemBody::schema()));
        ItemBody::schemas(schemas);
    }
}
