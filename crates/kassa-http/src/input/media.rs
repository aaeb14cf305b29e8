//! Pictures of events and partners in requests: `{"cover": "<id>"}` or `{"cover": {"id": "<id>"}}`,
//! so that an answer can be sent back. Keys that are not named stay, null takes one away, and null
//! or `[]` in place of the object takes all away.

use std::collections::BTreeMap;

use kassa_domain::Patch;
use kassa_domain::attachment::{Attachment, AttachmentId};
use kassa_domain::media::MediaPatch;
use serde::Deserialize;
use serde::de::IgnoredAny;
use utoipa::openapi::schema::Type;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};

use super::field::{FromJson, Input, Problems};
use super::values::object;
use crate::error::Detail;
use crate::openapi::schema;
use crate::wire::{COVER, LOGO, MediaKeys, Ref};

/// The pictures of an event.
#[derive(Clone, Debug)]
pub(crate) struct Cover(MediaPatch);

/// The pictures of a partner.
#[derive(Clone, Debug)]
pub(crate) struct Logo(MediaPatch);

impl FromJson for Cover {
    fn from_json(json: &str) -> Result<Self, Vec<Detail>> {
        read(json, COVER).map(Self)
    }

    fn form() -> RefOr<Schema> {
        form(COVER)
    }
}

impl FromJson for Logo {
    fn from_json(json: &str) -> Result<Self, Vec<Detail>> {
        read(json, LOGO).map(Self)
    }

    fn form() -> RefOr<Schema> {
        form(LOGO)
    }
}

impl From<Cover> for MediaPatch {
    fn from(cover: Cover) -> Self {
        cover.0
    }
}

impl From<Logo> for MediaPatch {
    fn from(logo: Logo) -> Self {
        logo.0
    }
}

/// What a request says of the pictures one by one.
pub(crate) fn media_patch(patch: Patch<impl Into<MediaPatch>>) -> MediaPatch {
    match patch {
        Patch::Keep => MediaPatch::default(),
        Patch::Clear => MediaPatch::clear(),
        Patch::Set(pictures) => pictures.into(),
    }
}

fn form(keys: MediaKeys) -> RefOr<Schema> {
    let object = ObjectBuilder::new().schema_type(Type::Object);
    let object = keys.into_iter().fold(object, |object, key| object.property(key, Input::<Named>::form(false)));
    let none = schema::list(ObjectBuilder::new()).max_items(Some(0));
    schema::any_of([object.into(), none.into()])
}

fn read(json: &str, [main, small, original]: MediaKeys) -> Result<MediaPatch, Vec<Detail>> {
    if serde_json::from_str::<[IgnoredAny; 0]>(json).is_ok() {
        return Ok(MediaPatch::clear());
    }
    let mut fields: BTreeMap<String, Input<Named>> = object(json)?;
    let mut problems = Problems::default();
    let mut field = |key: &str| fields.remove(key).unwrap_or_default().patch(key, &mut problems).map(|named| named.0);
    let patch = MediaPatch { main: field(main), small: field(small), original: field(original) };
    let details = problems.into_details();
    if details.is_empty() { Ok(patch) } else { Err(details) }
}

/// An attachment by its id, or as answers show it.
struct Named(AttachmentId);

impl FromJson for Named {
    fn from_json(json: &str) -> Result<Self, Vec<Detail>> {
        #[derive(Deserialize)]
        struct Fields {
            #[serde(default)]
            id: Input<Ref<Attachment>>,
        }
        if json.starts_with('"') {
            return Ref::from_json(json).map(|id| Self(id.0));
        }
        let fields: Fields = object(json)?;
        let mut problems = Problems::default();
        let id = fields.id.required("id", &mut problems);
        id.map(|id| Self(id.0)).ok_or_else(|| problems.into_details())
    }

    fn form() -> RefOr<Schema> {
        let shown = ObjectBuilder::new().property("id", Ref::<Attachment>::form()).required("id");
        schema::any_of([Ref::<Attachment>::form(), shown.into()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "6955b900ffffffff00000001";

    #[test]
    fn pictures_are_named_by_id_or_as_they_are_shown() {
        let shown = format!(
            r#"{{"cover": "{ID}", "cover_small": {{"id": "{ID}", "url": "x"}}, "cover_original": null, "logo": 7}}"#
        );
        let patch = read(&shown, COVER).unwrap();
        let id = Patch::Set(ID.parse().unwrap());
        assert_eq!((patch.main, patch.small, patch.original), (id.clone(), id, Patch::Clear));
        let patch = read("{}", COVER).unwrap();
        assert_eq!((patch.main, patch.small, patch.original), (Patch::Keep, Patch::Keep, Patch::Keep));
        let patch = read("[ ]", LOGO).unwrap();
        assert_eq!((patch.main, patch.small, patch.original), (Patch::Clear, Patch::Clear, Patch::Clear));
    }

    #[test]
    fn each_bad_picture_is_named() {
        let problems = read(r#"{"logo": "x", "logo_small": {}, "logo_original": {"id": 7}}"#, LOGO).unwrap_err();
        let fields: Vec<&str> = problems.iter().map(|detail| detail.field.as_str()).collect();
        assert_eq!(fields, [".logo", ".logo_small.id", ".logo_original.id"]);
        for json in ["[1]", "7", "\"x\""] {
            assert!(read(json, LOGO).is_err(), "{json}");
        }
    }
}
