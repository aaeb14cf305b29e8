//! Venues.

use kassa_domain::Id;
use kassa_domain::change::Revision;
use kassa_domain::geo::{CityId, CountryId};
use kassa_domain::partner::PartnerId;
use kassa_domain::venue::{Venue, VenueId};
use kassa_domain::view::Condition;

use crate::cell::json_cell;
use crate::error::StoreError;
use crate::lists::{Conditions, Filter, Predicate};
use crate::rows::{batch_id_cell, fold_case, read_batch_id, read_time, table};

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
    Mutable Int "revision": revision = source.int()?, row.revision.number();
    Mutable Blob "changed_in": changed_in = read_batch_id(source)?, batch_id_cell(row.revision.changed_in());
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
    revision: Revision::stored(revision, changed_in),
} }

fn corrupt(venue: VenueId, what: &str) -> StoreError {
    StoreError::Corrupt(format!("the {what} of venue {venue}"))
}

/// Venues, newest first.
#[derive(Clone, Debug, Default)]
pub struct VenuesFilter {
    /// Only these.
    pub ids: Option<Vec<VenueId>>,
    /// Only of this partner.
    pub org: Option<PartnerId>,
    /// Only in this city.
    pub city: Option<CityId>,
    /// Only in this country.
    pub country: Option<CountryId>,
    /// Only those whose name contains this, without case.
    pub name_contains: Option<String>,
    /// The partners whose removed venues are shown, too: those that the caller acts for, when it asks.
    pub include_removed_of: Vec<PartnerId>,
}

/// As `permission::sees_venue` says.
impl Filter for VenuesFilter {
    type Row = Venue;

    fn conditions(&self, conditions: &mut Conditions) {
        conditions.extend(self.ids.as_deref().map(|ids| Predicate::names_one_of("id", ids)));
        conditions.extend(self.org.map(|org| Predicate::equal("owner", org.key())));
        conditions.extend(self.city.map(|city| Predicate::equal("city", i64::from(city.0))));
        conditions.extend(self.country.map(|country| Predicate::equal("country", country.to_string())));
        conditions.extend(self.name_contains.as_deref().map(|text| Predicate::contains("folded_name", text)));
        let is_own = Predicate::names_one_of("owner", &self.include_removed_of);
        conditions.add(Predicate::AnyOf(vec![vec![Condition::NOT_REMOVED.into()], vec![is_own]]));
    }
}
