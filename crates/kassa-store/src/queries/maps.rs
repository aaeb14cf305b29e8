//! Hall maps.

use kassa_domain::hall_map::{HallMap, HallMapId};
use kassa_domain::venue::VenueId;

use super::partners::root_keys;
use super::{Conditions, Filter};

/// The maps of a venue, newest first.
#[derive(Clone, Debug)]
pub struct HallMapsFilter {
    /// Of which venue.
    pub venue: VenueId,
    /// Only these.
    pub ids: Option<Vec<HallMapId>>,
}

impl Filter for HallMapsFilter {
    type Row = HallMap;
    const ORDER: &'static str = "id DESC";

    fn conditions(&self, sql: &mut Conditions) {
        sql.add("venue = ?", [self.venue.key().into()]);
        if let Some(list) = &self.ids {
            sql.one_of("id", root_keys(list));
        }
    }
}
