//! Venues.

use std::cmp::Ordering;

use kassa_domain::geo::{CityId, CountryId};
use kassa_domain::partner::PartnerId;
use kassa_domain::venue::{Venue, VenueId};

use super::partners::ids;
use super::{Conditions, Filter, newest_first, pattern};
use crate::memory::Tables;
use crate::rows::venues::folded;

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
    pub suggest: Option<String>,
    /// The partners whose removed venues are shown, too: those that the caller acts for, when it asks.
    pub removed_of: Vec<PartnerId>,
}

impl Filter for VenuesFilter {
    type Row = Venue;
    const ORDER: &'static str = "id DESC";

    fn conditions(&self, sql: &mut Conditions) {
        if let Some(list) = &self.ids {
            sql.one_of("id", ids(list));
        }
        if let Some(org) = self.org {
            sql.add("org = ?", [org.key().into()]);
        }
        if let Some(city) = self.city {
            sql.add("city = ?", [i64::from(city.0).into()]);
        }
        if let Some(country) = self.country {
            sql.add("country = ?", [country.to_string().into()]);
        }
        if let Some(suggest) = &self.suggest {
            sql.add("folded_name LIKE ? ESCAPE '!'", [pattern(suggest).into()]);
        }
        if self.removed_of.is_empty() {
            sql.add("removed = 0", []);
        } else {
            let marks = vec!["?"; self.removed_of.len()].join(", ");
            sql.add(&format!("removed = 0 OR org IN ({marks})"), ids(&self.removed_of));
        }
    }

    fn passes(&self, venue: &Venue, _: &Tables) -> bool {
        let named = |suggest: &String| folded(&venue.name).contains(&folded(suggest));
        self.ids.as_ref().is_none_or(|ids| ids.contains(&venue.id))
            && self.org.is_none_or(|org| org == venue.org)
            && self.city.is_none_or(|city| Some(city) == venue.city)
            && self.country.is_none_or(|country| Some(country) == venue.country)
            && self.suggest.as_ref().is_none_or(named)
            && (!venue.removed || self.removed_of.contains(&venue.org))
    }

    fn compare(&self, one: &Venue, other: &Venue) -> Ordering {
        newest_first(&one.id, &other.id)
    }
}
