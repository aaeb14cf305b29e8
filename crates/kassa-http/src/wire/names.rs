//! Names of places by language.

use std::borrow::Cow;

use kassa_domain::geo::LocalizedNames;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use utoipa::openapi::schema::Type;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::openapi::schema;

/// `{"default": "Moscow", "en": "Moscow", "ru": "Москва"}`: `default` and `en` always, other languages
/// where the place is labelled in them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlaceNames(pub(crate) LocalizedNames);

impl Serialize for PlaceNames {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("default", self.0.default)?;
        for (language, name) in self.0.by_language() {
            map.serialize_entry(language, name)?;
        }
        map.end()
    }
}

impl PartialSchema for PlaceNames {
    fn schema() -> RefOr<Schema> {
        let names = ObjectBuilder::new().schema_type(Type::Object).additional_properties(Some(schema::text()));
        let about = "Names by language code; `default` and `en` are always present.";
        names.description(Some(about)).required("default").required("en").into()
    }
}

impl ToSchema for PlaceNames {
    fn name() -> Cow<'static, str> {
        "Names".into()
    }
}
