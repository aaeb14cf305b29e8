//! Countries and cities: read-only reference data that the program carries within
//! itself, unpacked once, when it is first asked for. `data/README.md` says where it comes from.

mod data;
mod list;

pub use data::{City, Country, LocalizedNames};
pub use list::{CitiesQuery, CityField, CountriesQuery, CountryField, GeoPage, SortBy};

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize, Serializer, de};

use data::GEO_DATA;

/// The id of a city: its number in GeoNames.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CityId(pub u32);

impl fmt::Display for CityId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The text is not the number of a city.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be the number of a city")]
pub struct MalformedCityId;

impl FromStr for CityId {
    type Err = MalformedCityId;

    fn from_str(text: &str) -> Result<Self, MalformedCityId> {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|_| digits).map(Self).ok_or(MalformedCityId)
    }
}

/// The id of a country: its two letters in ISO 3166-1, upper case.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CountryId([u8; 2]);

impl CountryId {
    /// The two letters.
    pub fn as_str(&self) -> &str {
        // Letters of ASCII are always UTF-8.
        str::from_utf8(&self.0).unwrap_or_default()
    }
}

/// The text is not two letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be the two letters of a country")]
pub struct MalformedCountryId;

impl FromStr for CountryId {
    type Err = MalformedCountryId;

    /// Reads the letters in any case.
    fn from_str(text: &str) -> Result<Self, MalformedCountryId> {
        let letters: [u8; 2] = text.as_bytes().try_into().map_err(|_| MalformedCountryId)?;
        let upper = letters.map(|letter| letter.to_ascii_uppercase());
        if upper.iter().all(u8::is_ascii_uppercase) { Ok(Self(upper)) } else { Err(MalformedCountryId) }
    }
}

impl fmt::Display for CountryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for CountryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for CountryId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for CountryId {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// The city with this id: its country, its time zone, its names.
pub fn city(id: CityId) -> Option<City> {
    GEO_DATA.city(id)
}

/// The country with this id.
pub fn country(id: CountryId) -> Option<Country> {
    GEO_DATA.country(id)
}

/// Unpacks the data now, so that no request waits for it.
pub fn preload() {
    std::sync::LazyLock::force(&GEO_DATA);
}
