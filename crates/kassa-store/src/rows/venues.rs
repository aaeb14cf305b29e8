//! Venues.

use kassa_domain::Id;
use kassa_domain::geo::{CityId, CountryId};
use kassa_domain::venue::Venue;

use super::house::read_time;
use super::{Column, Key as _, Mapped, columns};
use crate::cell::{Cell, Source, json};
use crate::error::StoreError;

/// A text in small letters: what names are searched by.
pub(crate) fn folded(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

impl Mapped for Venue {
    const TABLE: &'static str = "venues";
    const COLUMNS: &'static [Column] = columns![
        Key Int "id",
        Fixed Int "org",
        Free Text "name",
        Free Text "folded_name",
        Free Json "about",
        Free Int "city",
        Free Text "country",
        Free Int "removed",
        Fixed Int "created_at",
        Free Int "updated_at",
        Free Int "revision",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        self.id.write(out);
        out.extend([
            self.org.key().into(),
            self.name.as_str().into(),
            folded(&self.name).into(),
            json(&self.about),
            self.city.map(|city| i64::from(city.0)).into(),
            self.country.as_ref().map(CountryId::as_str).into(),
            self.removed.into(),
            self.created_at.ms().into(),
            self.updated_at.ms().into(),
            self.revision.into(),
        ]);
    }

    fn read(source: &mut dyn Source) -> Result<Self, StoreError> {
        let id = Id::root(source.int()?);
        let org = Id::root(source.int()?);
        let name = source.text()?;
        let _folded_name = source.text()?;
        let about = source.json()?;
        let city = source.int_or_null()?;
        let country = source.text_or_null()?;
        let corrupt = |what: &str| StoreError::Corrupt(format!("the {what} of venue {id}"));
        let city = city.map(|city| u32::try_from(city).map(CityId).map_err(|_| corrupt("city"))).transpose()?;
        let country = country.map(|country| country.parse().map_err(|_| corrupt("country"))).transpose()?;
        Ok(Self {
            id,
            org,
            name,
            about,
            city,
            country,
            removed: source.flag()?,
            created_at: read_time(source)?,
            updated_at: read_time(source)?,
            revision: source.int()?,
        })
    }
}
