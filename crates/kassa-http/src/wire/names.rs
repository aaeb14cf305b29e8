//! Names of places by language.

use kassa_domain::geo::Names;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// `{"default": "Moscow", "en": "Moscow", "ru": "Москва"}`: `default` and `en` always, other languages
/// where the place is labelled in them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlaceNames(pub(crate) Names);

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
