//! A country as v1 shows it.

use kassa_domain::geo::{Country, CountryId};

use crate::route::{FieldKind, ResourceKind};
use crate::wire::{PlaceNames, WireField, wire_form};

wire_form! {
    /// A country.
    #[derive(Debug)]
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
}

pub(crate) static COUNTRY: ResourceKind = ResourceKind::new("country", CountryBody::KIND);

impl WireField for CountryId {
    const KIND: FieldKind = FieldKind::Reference(|| &COUNTRY);
}

impl From<Country> for CountryBody {
    fn from(country: Country) -> Self {
        Self { id: country.id, name: PlaceNames(country.names), r#type: "country" }
    }
}
