//! Pictures of events and partners in requests: `{"cover": "<id>"}` or `{"cover": {"id": "<id>"}}`,
//! so that an answer can be sent back. Keys that are not named stay, null takes one away, and null
//! in place of the object takes all away. A list replaces all of them, in the order of the keys.

use kassa_domain::Patch;
use kassa_domain::attachment::Attachment;
use kassa_domain::media::MediaPatch;
use utoipa::openapi::schema::Type;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};

use super::id_or_object::IdOrObject;
use super::media::{COVER_KEYS, LOGO_KEYS, MediaKeys, about_media};
use crate::error::ErrorDetail;
use crate::input::{FromJson, Input, LIST_MAX, List, Problems, object_members};
use crate::openapi::schema;

/// The pictures of an event.
#[derive(Clone, Debug)]
pub(crate) struct CoverInput(MediaPatch);

/// The pictures of a partner.
#[derive(Clone, Debug)]
pub(crate) struct LogoInput(MediaPatch);

impl FromJson for CoverInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        parse_media(json, COVER_KEYS).map(Self)
    }

    fn json_schema() -> RefOr<Schema> {
        media_schema(COVER_KEYS)
    }
}

impl FromJson for LogoInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        parse_media(json, LOGO_KEYS).map(Self)
    }

    fn json_schema() -> RefOr<Schema> {
        media_schema(LOGO_KEYS)
    }
}

impl From<CoverInput> for MediaPatch {
    fn from(cover: CoverInput) -> Self {
        cover.0
    }
}

impl From<LogoInput> for MediaPatch {
    fn from(logo: LogoInput) -> Self {
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

/// All pictures, as lists name them: the main one, the small one, the original.
type MediaList = List<IdOrObject<Attachment>, 3>;

fn media_schema(keys: MediaKeys) -> RefOr<Schema> {
    let object = ObjectBuilder::new().schema_type(Type::Object);
    let object = keys.into_iter().fold(object, |object, key| {
        let about = [about_media(key), "The id of an image attachment, or an object with it; `null` removes it."];
        object.property(key, schema::described(Input::<IdOrObject<Attachment>>::json_schema(false), &about))
    });
    schema::any_of([object.into(), MediaList::json_schema()])
}

fn parse_media(json: &str, [main, small, original]: MediaKeys) -> Result<MediaPatch, Vec<ErrorDetail>> {
    if json.starts_with('[') {
        let mut items = MediaList::from_json(json)?.0.into_iter().map(|item| item.0);
        let mut next = || items.next().map_or(Patch::Clear, Patch::Set);
        return Ok(MediaPatch { main: next(), small: next(), original: next() });
    }
    let fields = object_members(json, LIST_MAX)?;
    let mut problems = Problems::default();
    let mut field = |key: &str| {
        let named = fields.get(key).map(|raw| Input::<IdOrObject<Attachment>>::from_raw(raw)).unwrap_or_default();
        named.patch(key, &mut problems).map(|named| named.0)
    };
    let patch = MediaPatch { main: field(main), small: field(small), original: field(original) };
    let details = problems.into_details();
    if details.is_empty() { Ok(patch) } else { Err(details) }
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
        let patch = parse_media(&shown, COVER_KEYS).unwrap();
        let id = Patch::Set(ID.parse().unwrap());
        assert_eq!((patch.main, patch.small, patch.original), (id.clone(), id, Patch::Clear));
        let patch = parse_media("{}", COVER_KEYS).unwrap();
        assert_eq!((patch.main, patch.small, patch.original), (Patch::Keep, Patch::Keep, Patch::Keep));
        let patch = parse_media("[ ]", LOGO_KEYS).unwrap();
        assert_eq!((patch.main, patch.small, patch.original), (Patch::Clear, Patch::Clear, Patch::Clear));
    }

    #[test]
    fn a_list_names_all_pictures_by_their_places() {
        let id = Patch::Set(ID.parse().unwrap());
        for item in [format!("\"{ID}\""), format!("{{\"id\": \"{ID}\", \"url\": 7}}")] {
            let patch = parse_media(&format!("[{item}, {item}]"), LOGO_KEYS).unwrap();
            assert_eq!((patch.main, patch.small, patch.original), (id.clone(), id.clone(), Patch::Clear), "{item}");
        }
        let problems = parse_media(&format!("[\"{ID}\", 7, {{}}]"), LOGO_KEYS).unwrap_err();
        let fields: Vec<&str> = problems.iter().map(|detail| detail.field.as_str()).collect();
        assert_eq!(fields, ["[1]", "[2].id"]);
        let four = format!("[{}]", vec![format!("\"{ID}\""); 4].join(","));
        assert!(parse_media(&four, LOGO_KEYS).is_err());
    }

    #[test]
    fn each_bad_picture_is_named() {
        let problems =
            parse_media(r#"{"logo": "x", "logo_small": {}, "logo_original": {"id": 7}}"#, LOGO_KEYS).unwrap_err();
        let fields: Vec<&str> = problems.iter().map(|detail| detail.field.as_str()).collect();
        assert_eq!(fields, [".logo", ".logo_small.id", ".logo_original.id"]);
        for json in ["[1]", "7", "\"x\""] {
            assert!(parse_media(json, LOGO_KEYS).is_err(), "{json}");
        }
    }
}
