//! Venues: the places where events take place. Everybody sees them, and any organizer
//! uses them; they are changed by the partner that made them.

use serde::{Deserialize, Serialize};

use super::row::Row;
use crate::geo::{CityId, CountryId};
use crate::values::patch::{Patch, patchable};
use crate::values::resource_ids::{PartnerId, VenueId};
use crate::values::revision::Revision;
use crate::values::time::Timestamp;

/// A venue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Venue {
    /// The id.
    pub id: VenueId,
    /// The partner that made it.
    pub owner: PartnerId,
    /// Its name.
    pub name: String,
    /// Its description.
    pub profile: VenueProfile,
    /// Its city.
    pub city: Option<CityId>,
    /// Its country; that of the city, when it has one.
    pub country: Option<CountryId>,
    /// Whether it was deleted.
    pub removed: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last edited.
    pub updated_at: Timestamp,
    /// Counts edits.
    pub revision: Revision,
}

patchable! {
    /// The description of a venue.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct VenueProfile {
        /// Its description.
        desc: Option<String> = Patch<String>,
        /// Its postal address.
        address: Option<String> = Patch<String>,
        /// Where it is on the globe.
        point: Option<GeoPoint> = Patch<GeoPoint>,
    }

    /// A partial update of the description of a venue.
    pub struct VenueProfilePatch;
}

/// A place on the globe (WGS 84), to the ten-millionth of a degree: about a centimetre.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GeoPoint {
    longitude_e7: i32,
    latitude_e7: i32,
}

/// Units of a coordinate in a degree.
const PARTS_PER_DEGREE: f64 = 1e7;

impl GeoPoint {
    /// The place at so many degrees east and north; `None` where the globe has no such place.
    pub fn new(longitude: f64, latitude: f64) -> Option<Self> {
        let sound = (-180.0..=180.0).contains(&longitude) && (-90.0..=90.0).contains(&latitude);
        sound.then(|| Self { longitude_e7: degrees_to_e7(longitude), latitude_e7: degrees_to_e7(latitude) })
    }

    /// Degrees east of Greenwich.
    pub fn longitude(self) -> f64 {
        f64::from(self.longitude_e7) / PARTS_PER_DEGREE
    }

    /// Degrees north of the equator.
    pub fn latitude(self) -> f64 {
        f64::from(self.latitude_e7) / PARTS_PER_DEGREE
    }
}

#[expect(clippy::cast_possible_truncation, reason = "at most 180 degrees: 1.8e9 parts fit")]
fn degrees_to_e7(degrees: f64) -> i32 {
    (degrees * PARTS_PER_DEGREE).round() as i32
}

impl Row for Venue {
    type Key = VenueId;

    fn key(&self) -> VenueId {
        self.id
    }
}
