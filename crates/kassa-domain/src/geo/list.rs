//! Lists of countries and cities.

use std::cmp::Ordering;

use super::data::{CityRow, GEO_DATA, SearchTexts};
use super::{City, CityId, Country, CountryId};

/// A field to sort by, and whether the greatest comes first.
pub type SortBy<F> = (F, bool);

/// What cities can be sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CityField {
    /// The id.
    Id,
    /// The name by default, without case.
    Name,
    /// The id of the country.
    Country,
    /// The name of the time zone.
    Timezone,
    /// How many people live there.
    Population,
}

/// What countries can be sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountryField {
    /// The id.
    Id,
    /// The name by default, without case.
    Name,
}

/// Which cities, and in which order; what is equal in it is ordered by name.
#[derive(Clone, Debug, Default)]
pub struct CitiesQuery {
    /// Only these.
    pub ids: Option<Vec<CityId>>,
    /// Only in this country.
    pub country: Option<CountryId>,
    /// Only those with a name that contains this, without case.
    pub name_contains: Option<String>,
    /// The order.
    pub sort: Vec<SortBy<CityField>>,
}

/// Which countries, and in which order; what is equal in it is ordered by name.
#[derive(Clone, Debug, Default)]
pub struct CountriesQuery {
    /// Only these.
    pub ids: Option<Vec<CountryId>>,
    /// Only those with a name that contains this, without case.
    pub name_contains: Option<String>,
    /// The order.
    pub sort: Vec<SortBy<CountryField>>,
}

/// A part of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeoPage<T> {
    /// The part.
    pub items: Vec<T>,
    /// How many there are in all.
    pub total: usize,
}

impl CitiesQuery {
    /// At most `limit` cities after `offset` of them.
    pub fn list(&self, offset: usize, limit: usize) -> GeoPage<City> {
        let places = candidates(self.ids.as_deref(), GEO_DATA.cities.len(), |id| GEO_DATA.city_index(id));
        let needle = lowercase(self.name_contains.as_deref());
        let in_country = |place: usize| self.country.is_none_or(|country| GEO_DATA.cities[place].country == country);
        let mut places: Vec<u32> = places
            .filter(|place| in_country(*place) && contains(&GEO_DATA.city_search_texts, *place, needle.as_deref()))
            .filter_map(|place| u32::try_from(place).ok())
            .collect();
        let total = places.len();
        // Places are by name already, and stay so where the order does not say otherwise.
        if !self.sort.is_empty() {
            let compare = |one: &u32, other: &u32| self.compare(*one, *other).then(one.cmp(other));
            // Only what is shown is put in order: whoever turns pages does not sort all cities for each.
            let end = offset.saturating_add(limit).min(total);
            if end < total {
                places.select_nth_unstable_by(end, compare);
                places.truncate(end);
            }
            places.sort_unstable_by(compare);
        }
        let items = places.into_iter().skip(offset).take(limit).map(|place| GEO_DATA.city_at(place as usize));
        GeoPage { items: items.collect(), total }
    }

    fn compare(&self, one: u32, other: u32) -> Ordering {
        let row = |place: u32| -> &CityRow { &GEO_DATA.cities[place as usize] };
        ordering(&self.sort, |field| match field {
            CityField::Id => row(one).id.cmp(&row(other).id),
            CityField::Name => one.cmp(&other),
            CityField::Country => row(one).country.cmp(&row(other).country),
            CityField::Timezone => row(one).timezone_index.cmp(&row(other).timezone_index),
            CityField::Population => row(one).population.cmp(&row(other).population),
        })
    }
}

impl CountriesQuery {
    /// At most `limit` countries after `offset` of them.
    pub fn list(&self, offset: usize, limit: usize) -> GeoPage<Country> {
        let places = candidates(self.ids.as_deref(), GEO_DATA.countries.len(), |id| GEO_DATA.country_index(id));
        let needle = lowercase(self.name_contains.as_deref());
        let mut places: Vec<usize> =
            places.filter(|place| contains(&GEO_DATA.country_search_texts, *place, needle.as_deref())).collect();
        places.sort_by(|one, other| {
            ordering(&self.sort, |field| match field {
                CountryField::Id => GEO_DATA.countries[*one].id.cmp(&GEO_DATA.countries[*other].id),
                CountryField::Name => one.cmp(other),
            })
        });
        let total = places.len();
        let items = places.into_iter().skip(offset).take(limit).map(|place| GEO_DATA.countries[place]);
        GeoPage { items: items.collect(), total }
    }
}

/// The places to look at, by name: those of the ids, or all.
fn candidates<I: Copy>(
    ids: Option<&[I]>,
    count: usize,
    place: impl Fn(I) -> Option<usize>,
) -> Box<dyn Iterator<Item = usize>> {
    let Some(ids) = ids else { return Box::new(0..count) };
    let mut places: Vec<usize> = ids.iter().filter_map(|id| place(*id)).collect();
    places.sort_unstable();
    places.dedup();
    Box::new(places.into_iter())
}

fn lowercase(suggest: Option<&str>) -> Option<String> {
    suggest.map(|text| text.chars().flat_map(char::to_lowercase).collect())
}

fn contains(folded: &SearchTexts, place: usize, needle: Option<&str>) -> bool {
    needle.is_none_or(|needle| folded.get(place).contains(needle))
}

/// By the first field in which the two differ.
fn ordering<F: Copy>(sort: &[SortBy<F>], compare: impl Fn(F) -> Ordering) -> Ordering {
    let directed = |(field, descending): &SortBy<F>| {
        let order = compare(*field);
        if *descending { order.reverse() } else { order }
    };
    sort.iter().map(directed).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}
