//! A city as v1 shows it.

use kassa_domain::geo::{City, CityId, CountryId};
use serde::Serialize;
use utoipa::ToSchema;

use crate::wire::PlaceNames;

/// A city.
// seed, City
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = City)]
pub(crate) struct CityBody {
    /// The number that GeoNames gives it.
    #[schema(value_type = u32)]
    id: CityId,
    name: PlaceNames,
    #[schema(value_type = String)]
    country: CountryId,
    timezone: &'static str,
    population: u32,
    r#type: &'static str,
}

impl From<City> for CityBody {
    fn from(city: City) -> Self {
        Self {
            id: city.id,
            name: PlaceNames(city.names),
            country: city.country,
            timezone: city.timezone,
            population: city.population,
            r#type: "city",
        }
    }
}
