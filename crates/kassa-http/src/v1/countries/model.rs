//! A country as v1 shows it.

use kassa_domain::geo::{Country, CountryId};
use serde::Serialize;
use utoipa::ToSchema;

use crate::wire::PlaceNames;

/// A country.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Country)]
pub(crate) struct CountryBody {
    /// Two capital letters (ISO 3166-1).
    #[schema(value_type = String)]
    id: CountryId,
    /// The country's names, by language.
    name: PlaceNames,
    /// Always `country`.
    r#type: &'static str,
}

impl From<Country> for CountryBody {
    fn from(country: Country) -> Self {
        Self { id: country.id, name: PlaceNames(country.names), r#type: "country" }
    }
}
