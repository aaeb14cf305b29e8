//! Venues.

use kassa_domain::Id;
use kassa_domain::geo::{CityId, CountryId};
use kassa_domain::venue::Venue;

use super::system::read_time;
use super::{Column, MappedRow, RowKey as _, columns};
use crate::cell::{Cell, RowReader, json_cell};
use crate::error::StoreError;

/// A text in small letters: what names are searched by.
pub(crate) fn fold_case(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

impl MappedRow for Venue {
    const TABLE: &'static str = "venues";
    const COLUMNS: &'static [Column] = columns![
        Key Int "id",
        Immutable Int "owner",
        Mutable Text "name",
        Mutable Text "folded_name",
        Mutable Json "about",
        Mutable Int "city",
        Mutable Text "country",
        Mutable Int "removed",
        Immutable Int "created_at",
        Mutable Int "updated_at",
        Mutable Int "revision",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        self.id.write(out);
        out.extend([
            self.owner.key().into(),
            self.name.as_str().into(),
            fold_case(&self.name).into(),
            json_cell(&self.profile),
            self.city.map(|city| i64::from(city.0)).into(),
            self.country.as_ref().map(CountryId::as_str).into(),
            self.removed.into(),
            self.created_at.ms().into(),
            self.updated_at.ms().into(),
            self.revision.into(),
        ]);
    }

    fn read(source: &mut dyn RowReader) -> Result<Self, StoreError> {
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
            owner: org,
            name,
            profile: about,
            city,
            country,
            removed: source.flag()?,
            created_at: read_time(source)?,
            updated_at: read_time(source)?,
            revision: source.int()?,
        })
    }
}
