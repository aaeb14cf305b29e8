//! A city as v1 shows it.

use kassa_domain::geo::{City, CityId, CountryId};

use crate::route::{FieldKind, ResourceKind};
use crate::wire::{PlaceNames, WireField, wire_form};

wire_form! {
    /// A city.
    #[derive(Debug)]
    #[schema(as = City)]
    pub(crate) struct CityBody {
        /// The city's number in GeoNames.
        #[schema(value_type = u32)]
        id: CityId,
        /// The city's names, by language.
        name: PlaceNames,
        /// The country: two capital letters (ISO 3166-1).
        #[schema(value_type = String)]
        country: CountryId,
        /// The time zone, by its name in the tz database: `Europe/Moscow`.
        timezone: &'static str,
        /// The number of inhabitants.
        population: u32,
        /// Always `city`.
        r#type: &'static str,
    }
}

pub(crate) static CITY: ResourceKind = ResourceKind::new("city", CityBody::KIND);

impl WireField for CityId {
    const KIND: FieldKind = FieldKind::Reference(|| &CITY);
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
