//! Venues: the places where events take place (api-facts §3.4). Everybody sees them, and any organizer
//! uses them; they are changed by the partner that made them.

mod create;
mod update;

pub use create::CreateVenue;
pub use update::UpdateVenue;

use serde::{Deserialize, Serialize};

use crate::geo::{self, CityId, CountryId};
use crate::id::Id;
use crate::partner::PartnerId;
use crate::patch::Patch;
use crate::refusal::Refusal;
use crate::time::Timestamp;
use crate::view::Row;

/// The id of a venue.
pub type VenueId = Id<Venue>;

/// A venue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Venue {
    /// The id.
    pub id: VenueId,
    /// The partner that made it.
    pub owner: PartnerId,
    /// Its name.
    pub name: String,
    /// What is told about it.
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
    pub revision: i64,
}

/// What is told about a venue.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct VenueProfile {
    /// Its description.
    pub desc: Option<String>,
    /// Its postal address.
    pub address: Option<String>,
    /// Where it is on the globe.
    pub point: Option<GeoPoint>,
}

/// A place on the globe (WGS 84), to the ten-millionth of a degree: about a centimetre.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GeoPoint {
    longitude_e7: i32,
    latitude_e7: i32,
}

/// Parts of a degree that are told apart.
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

/// A partial update of a venue; what a new one is made of, too.
#[derive(Clone, Debug, Default)]
pub struct VenuePatch {
    /// Its name.
    pub name: Patch<String>,
    /// Its description.
    pub desc: Patch<String>,
    /// Its postal address.
    pub address: Patch<String>,
    /// Its city.
    pub city: Patch<CityId>,
    /// Its country.
    pub country: Patch<CountryId>,
    /// Where it is on the globe.
    pub point: Patch<GeoPoint>,
    /// Whether it is deleted.
    pub removed: Patch<bool>,
}

impl Venue {
    fn apply(&mut self, patch: VenuePatch) -> Result<(), Refusal> {
        self.set_location(&patch.city, &patch.country)?;
        patch.name.apply_or(&mut self.name, String::new());
        patch.desc.apply(&mut self.profile.desc);
        patch.address.apply(&mut self.profile.address);
        patch.point.apply(&mut self.profile.point);
        patch.removed.apply_or(&mut self.removed, false);
        Ok(())
    }

    /// Moves it. A city brings its country along; a country that is named beside a city, or beside the
    /// city that it has, must be that city's.
    fn set_location(&mut self, city: &Patch<CityId>, country: &Patch<CountryId>) -> Result<(), Refusal> {
        if let Patch::Set(country) = country {
            geo::country(*country).ok_or(Refusal::CountryUnknown(*country))?;
        }
        if let Patch::Set(city) = city {
            geo::city(*city).ok_or(Refusal::CityUnknown(*city))?;
        }
        city.clone().apply(&mut self.city);
        country.clone().apply(&mut self.country);
        let Some(city) = self.city.and_then(geo::city) else { return Ok(()) };
        match country {
            Patch::Set(country) if *country != city.country => Err(Refusal::CityNotInCountry(city.id, *country)),
            Patch::Keep | Patch::Clear | Patch::Set(_) => {
                self.country = Some(city.country);
                Ok(())
            }
        }
    }
}

impl Row for Venue {
    type Key = VenueId;

    fn key(&self) -> VenueId {
        self.id
    }
}
