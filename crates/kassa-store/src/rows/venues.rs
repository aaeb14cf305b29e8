//! Venues.

use kassa_domain::Id;
use kassa_domain::geo::{CityId, CountryId};
use kassa_domain::venue::{Venue, VenueId};

use super::system::read_time;
use super::table;
use crate::cell::json_cell;
use crate::error::StoreError;

/// A text in small letters: what names are searched by.
pub(crate) fn fold_case(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

table! { Venue, "venues", |row, source| {
    Key Int "id": id = Id::root(source.int()?), row.id.key();
    Immutable Int "owner": owner = Id::root(source.int()?), row.owner.key();
    Mutable Text "name": name = source.text()?, row.name.as_str();
    Mutable Text "folded_name": _folded_name = source.text()?, fold_case(&row.name);
    Mutable Json "about": profile = source.json()?, json_cell(&row.profile);
    Mutable Int "city": city = source.int_or_null()?, row.city.map(|city| i64::from(city.0));
    Mutable Text "country": country = source.text_or_null()?, row.country.as_ref().map(CountryId::as_str);
    Mutable Int "removed": removed = source.flag()?, row.removed;
    Immutable Int "created_at": created_at = read_time(source)?, row.created_at.ms();
    Mutable Int "updated_at": updated_at = read_time(source)?, row.updated_at.ms();
    Mutable Int "revision": revision = source.int()?, row.revision;
} => Venue {
    id,
    owner,
    name,
    profile,
    city: city.map(|city| u32::try_from(city).map(CityId).map_err(|_| corrupt(id, "city"))).transpose()?,
    country: country.map(|country| country.parse().map_err(|_| corrupt(id, "country"))).transpose()?,
    removed,
    created_at,
    updated_at,
    revision,
} }

fn corrupt(venue: VenueId, what: &str) -> StoreError {
    StoreError::Corrupt(format!("the {what} of venue {venue}"))
}
