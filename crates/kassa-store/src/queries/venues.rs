//! Venues.

use kassa_domain::geo::{CityId, CountryId};
use kassa_domain::partner::PartnerId;
use kassa_domain::venue::{Venue, VenueId};

use super::partners::root_keys;
use super::{Conditions, Filter, like_pattern};

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

impl Filter for VenuesFilter {
    type Row = Venue;
    const ORDER: &'static str = "id DESC";

    fn conditions(&self, sql: &mut Conditions) {
        if let Some(list) = &self.ids {
            sql.one_of("id", root_keys(list));
        }
        if let Some(org) = self.org {
            sql.add("owner = ?", [org.key().into()]);
        }
        if let Some(city) = self.city {
            sql.add("city = ?", [i64::from(city.0).into()]);
        }
        if let Some(country) = self.country {
            sql.add("country = ?", [country.to_string().into()]);
        }
        if let Some(suggest) = &self.name_contains {
            sql.add("folded_name LIKE ? ESCAPE '!'", [like_pattern(suggest).into()]);
        }
        if self.include_removed_of.is_empty() {
            sql.add("removed = 0", []);
        } else {
            let marks = vec!["?"; self.include_removed_of.len()].join(", ");
            sql.add(&format!("removed = 0 OR owner IN ({marks})"), root_keys(&self.include_removed_of));
        }
    }
}
