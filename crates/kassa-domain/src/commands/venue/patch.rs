//! A partial update of a venue, and the check of where it is.

use crate::geo;
use crate::geo::{CityId, CountryId};
use crate::model::venue::{Venue, VenueProfilePatch};
use crate::refusal::Refusal;
use crate::values::patch::{ApplyTo, Patch};

/// A partial update of a venue; what a new one is made of, too.
#[derive(Clone, Debug, Default)]
pub struct VenuePatch {
    /// Its name.
    pub name: Patch<String>,
    /// Its description.
    pub profile: VenueProfilePatch,
    /// Its city.
    pub city: Patch<CityId>,
    /// Its country.
    pub country: Patch<CountryId>,
    /// Whether it is deleted.
    pub removed: Patch<bool>,
}

impl Venue {
    pub(super) fn apply(&mut self, patch: VenuePatch) -> Result<(), Refusal> {
        self.set_location(&patch.city, &patch.country)?;
        patch.name.apply_or(&mut self.name, String::new());
        patch.profile.apply_to(&mut self.profile);
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
