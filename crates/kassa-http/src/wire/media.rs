//! Pictures of events and partners in answers.

use std::borrow::Cow;
use std::marker::PhantomData;

use kassa_domain::attachment::{Hex128, MediaType};
use kassa_domain::media::{Media, MediaItem};
use serde::{Serialize, Serializer};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::form::{WireField, wire_form};
use super::id::{AttachmentRef, IdRef, PartnerRef};
use crate::base_url::BaseUrl;
use crate::openapi::schema;
use crate::route::{FieldKind, FieldTable};

/// The keys of [`Media`] in one kind of resource: the picture, a small one, the original.
pub(crate) type MediaKeys = [&'static str; 3];
/// Those of an event.
pub(crate) const COVER_KEYS: MediaKeys = ["cover", "cover_small", "cover_original"];
/// Those of a partner.
pub(crate) const LOGO_KEYS: MediaKeys = ["logo", "logo_small", "logo_original"];

/// Which picture a key names, for the OpenAPI documents.
pub(crate) fn about_media(key: &str) -> &'static str {
    match key {
        "cover" => "The cover of an event.",
        "cover_small" => "A small version of the cover.",
        "cover_original" => "The cover in its original size.",
        "logo" => "The logo of a partner.",
        "logo_small" => "A small version of the logo.",
        _ => "The logo in its original size.",
    }
}

/// Whose pictures they are.
pub(crate) trait MediaOwner {
    /// What they are called.
    const KEYS: MediaKeys;
}

/// Pictures of an event.
#[derive(Debug)]
pub(crate) struct Cover;

impl MediaOwner for Cover {
    const KEYS: MediaKeys = COVER_KEYS;
}

/// Pictures of a partner.
#[derive(Debug)]
pub(crate) struct Logo;

impl MediaOwner for Logo {
    const KEYS: MediaKeys = LOGO_KEYS;
}

/// An object with an entry for each picture that is there; `{}` without any.
#[derive(Debug)]
pub(crate) struct MediaBody<O>(Vec<(&'static str, MediaItemBody)>, PhantomData<O>);

/// Those of an event.
pub(crate) type CoverBody = MediaBody<Cover>;
/// Those of a partner.
pub(crate) type LogoBody = MediaBody<Logo>;

wire_form! {
    /// A picture.
    #[derive(Debug)]
    #[schema(as = MediaItem)]
    pub(crate) struct MediaItemBody {
        /// The id of the attachment.
        id: AttachmentRef,
        /// The partner that uploaded it.
        author: PartnerRef,
        /// The media type, such as `image/png`.
        #[schema(value_type = String)]
        content_type: MediaType,
        /// The size of the file, in bytes.
        length: i64,
        /// The MD5 digest of the file: 32 hexadecimal digits.
        #[schema(value_type = String)]
        md5hash: Hex128,
        /// The address of the file. Anyone who has it can download the file.
        url: String,
    }
}

impl<O: MediaOwner> MediaBody<O> {
    const FIELDS: FieldTable =
        &[(O::KEYS[0], MediaItemBody::KIND), (O::KEYS[1], MediaItemBody::KIND), (O::KEYS[2], MediaItemBody::KIND)];

    pub(crate) fn new(media: &Media, base: &BaseUrl) -> Self {
        let [main, small, original] = O::KEYS;
        let all = [(main, &media.main), (small, &media.small), (original, &media.original)];
        let entry = |(key, item): (_, &Option<_>)| item.as_ref().map(|item| (key, MediaItemBody::new(item, base)));
        Self(all.into_iter().filter_map(entry).collect(), PhantomData)
    }
}

impl<O: MediaOwner> WireField for MediaBody<O> {
    const KIND: FieldKind = FieldKind::Object(Self::FIELDS);
}

impl MediaItemBody {
    pub(crate) fn new(item: &MediaItem, base: &BaseUrl) -> Self {
        let MediaItem { id, author, ref content_type, length, md5, token } = *item;
        Self {
            id: IdRef(id),
            author: IdRef(author),
            content_type: content_type.clone(),
            length,
            md5hash: md5,
            url: base.file_url(token),
        }
    }
}

impl<O> Serialize for MediaBody<O> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, item)| (key, item)))
    }
}

impl<O> PartialSchema for MediaBody<O> {
    fn schema() -> RefOr<Schema> {
        let object = ObjectBuilder::new().description(Some("Pictures: covers of an event, or logos of a partner."));
        let keys = COVER_KEYS.into_iter().chain(LOGO_KEYS);
        let item = |key| schema::described(schema::component_ref::<MediaItemBody>(), &[about_media(key)]);
        keys.fold(object, |object, key| object.property(key, item(key))).into()
    }
}

impl<O> ToSchema for MediaBody<O> {
    fn name() -> Cow<'static, str> {
        "Media".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((MediaItemBody::name().into(), MediaItemBody::schema()));
        MediaItemBody::schemas(schemas);
    }
}
