//! The data, unpacked: the text of the file, and rows that point into it. It takes 8 MB of memory, and
//! does not grow; unpacking took 73 ms where it was measured.

use std::io::Read as _;
use std::sync::LazyLock;

use flate2::read::GzDecoder;

use super::{CityId, CountryId};

/// Made by `xtask/geo/prepare.py`, which says how it is laid out.
const PACKED: &[u8] = include_bytes!("../../data/geo.txt.gz");

/// The file as text. It stays in memory, and rows point into it.
static TEXT: LazyLock<String> = LazyLock::new(|| {
    let mut text = String::new();
    // The file is part of the program, and a test reads all of it: it cannot be broken here only.
    let _ = GzDecoder::new(PACKED).read_to_string(&mut text);
    text
});

/// All countries and cities.
pub(super) static GEO_DATA: LazyLock<GeoData> = LazyLock::new(|| GeoData::parse(&TEXT));

/// A city.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct City {
    /// Its id.
    pub id: CityId,
    /// Where it lies.
    pub country: CountryId,
    /// Its time zone, by its name in the tz database.
    pub timezone: &'static str,
    /// How many people live there.
    pub population: u32,
    /// Its names.
    pub names: LocalizedNames,
}

/// A country.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Country {
    /// Its id.
    pub id: CountryId,
    /// Its names.
    pub names: LocalizedNames,
}

/// The names of a place: one by default, and one for each language in which it is labelled. There is
/// always one in English.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalizedNames {
    /// The name for those who ask for no language.
    pub default: &'static str,
    /// By language, English first.
    translations: &'static [(&'static str, &'static str)],
}

impl LocalizedNames {
    /// Pairs of language and name, each language once, English first.
    pub fn by_language(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let english = self.translations.first().filter(|(language, _)| *language == ENGLISH);
        let implied = english.is_none().then_some((ENGLISH, self.default));
        implied.into_iter().chain(self.translations.iter().copied())
    }

    /// The name in a language, else the one by default.
    pub fn in_language(&self, language: &str) -> &'static str {
        self.by_language().find(|(known, _)| *known == language).map_or(self.default, |(_, name)| name)
    }
}

const ENGLISH: &str = "en";

/// A city as it is kept. Where it stands among the cities is its place by name.
#[derive(Clone, Copy)]
pub(super) struct CityRow {
    pub(super) id: CityId,
    pub(super) population: u32,
    name: &'static str,
    /// Its place among the zones, which are in order.
    pub(super) timezone_index: u16,
    pub(super) country: CountryId,
}

/// Names of one place in other languages: a stretch of [`GeoData::labels`].
type LabelRange = (CityId, u32, u32);

/// Countries and cities, each sorted by name.
pub(super) struct GeoData {
    pub(super) cities: Vec<CityRow>,
    pub(super) countries: Vec<Country>,
    /// Places among the cities, by id.
    city_order_by_id: Vec<u32>,
    /// Places among the countries, by id.
    country_order_by_id: Vec<u16>,
    timezones: Vec<&'static str>,
    /// Stretches of `labels`, by id of the city.
    label_ranges: Vec<LabelRange>,
    labels: &'static [(&'static str, &'static str)],
    /// All names of each city in small letters, in the order of the cities, and where each ends.
    pub(super) city_search_texts: SearchTexts,
    /// The same of the countries.
    pub(super) country_search_texts: SearchTexts,
}

/// Texts to search in, one for each place.
#[derive(Default)]
pub(super) struct SearchTexts {
    text: String,
    ends: Vec<u32>,
}

impl SearchTexts {
    fn push(&mut self, names: LocalizedNames) {
        // A name has no line break, so that nothing is found across two of them.
        self.text.extend(names.default.chars().flat_map(char::to_lowercase));
        for (_, name) in names.by_language().filter(|(_, name)| *name != names.default) {
            self.text.push('\n');
            self.text.extend(name.chars().flat_map(char::to_lowercase));
        }
        self.ends.push(to_u32(self.text.len()));
    }

    /// The names of the place at `at`.
    pub(super) fn get(&self, at: usize) -> &str {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start as usize..self.ends[at] as usize]
    }
}

fn to_u32(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// What has been read so far.
#[derive(Default)]
struct GeoParser {
    languages: Vec<&'static str>,
    countries: Vec<Country>,
    /// The country and the zone of the cities that follow.
    country: Option<CountryId>,
    timezone_index: u16,
    timezones: Vec<&'static str>,
    cities: Vec<CityRow>,
    label_ranges: Vec<LabelRange>,
    labels: Vec<(&'static str, &'static str)>,
}

impl GeoParser {
    fn parse_line(&mut self, line: &'static str) -> Option<()> {
        let (kind, rest) = line.split_once('\t')?;
        match kind {
            "L" => self.languages = rest.split('\t').collect(),
            "C" => self.parse_country(rest)?,
            "Z" => self.timezone_index = self.timezone_index_of(rest),
            "N" => {
                let label = rest.split_once('\t')?;
                self.labels.push(label);
                let end = to_u32(self.labels.len());
                let city = self.cities.last()?.id;
                match self.label_ranges.last_mut() {
                    Some(last) if last.0 == city => last.2 = end,
                    _ => self.label_ranges.push((city, end - 1, end)),
                }
            }
            id => {
                let (population, name) = rest.split_once('\t')?;
                let (id, population) = (id.parse().ok()?, population.parse().ok()?);
                self.cities.push(CityRow {
                    id,
                    population,
                    name,
                    timezone_index: self.timezone_index,
                    country: self.country?,
                });
            }
        }
        Some(())
    }

    fn parse_country(&mut self, rest: &'static str) -> Option<()> {
        let mut fields = rest.split('\t');
        let id: CountryId = fields.next()?.parse().ok()?;
        let named = self.languages.iter().copied().zip(fields).filter(|(_, name)| !name.is_empty());
        let others: &'static [_] = Vec::leak(named.collect());
        let (_, default) = *others.first()?;
        self.country = Some(id);
        self.countries.push(Country { id, names: LocalizedNames { default, translations: others } });
        Some(())
    }

    fn timezone_index_of(&mut self, name: &'static str) -> u16 {
        let place = self.timezones.iter().position(|zone| *zone == name).unwrap_or_else(|| {
            self.timezones.push(name);
            self.timezones.len() - 1
        });
        u16::try_from(place).unwrap_or(u16::MAX)
    }

    /// Puts the zones in order, so that comparing their places compares their names.
    fn sort_timezones(&mut self) {
        let mut order: Vec<usize> = (0..self.timezones.len()).collect();
        order.sort_unstable_by_key(|place| self.timezones[*place]);
        let mut new_places = vec![0_u16; order.len()];
        for (new, old) in (0_u16..).zip(&order) {
            new_places[*old] = new;
        }
        for city in &mut self.cities {
            city.timezone_index = new_places[usize::from(city.timezone_index)];
        }
        self.timezones = order.iter().map(|place| self.timezones[*place]).collect();
    }
}

impl GeoData {
    /// Reads the file, once in the life of the program: what is leaked here is used to its end.
    fn parse(text: &'static str) -> Self {
        let mut reading = GeoParser::default();
        for line in text.lines() {
            // A line that cannot be read would be left out. There is none: a test counts them.
            let _ = reading.parse_line(line);
        }
        reading.sort_timezones();
        let GeoParser { mut countries, timezones: zones, mut cities, label_ranges: mut labelled, labels, .. } = reading;
        cities.sort_by_cached_key(|city| (city.name.to_lowercase(), city.id));
        cities.shrink_to_fit();
        countries.sort_by_cached_key(|country| (country.names.default.to_lowercase(), country.id));
        labelled.sort_unstable();
        let mut by_id: Vec<u32> = (0..to_u32(cities.len())).collect();
        by_id.sort_unstable_by_key(|place| cities[*place as usize].id);
        let mut by_code: Vec<u16> = (0..).take(countries.len()).collect();
        by_code.sort_unstable_by_key(|place| countries[usize::from(*place)].id);
        let mut atlas = Self {
            cities,
            countries,
            city_order_by_id: by_id,
            country_order_by_id: by_code,
            timezones: zones,
            label_ranges: labelled,
            labels: Vec::leak(labels),
            city_search_texts: SearchTexts::default(),
            country_search_texts: SearchTexts::default(),
        };
        for place in 0..atlas.cities.len() {
            atlas.city_search_texts.push(atlas.names_of(&atlas.cities[place]));
        }
        for country in &atlas.countries {
            atlas.country_search_texts.push(country.names);
        }
        atlas
    }

    fn names_of(&self, city: &CityRow) -> LocalizedNames {
        let found = self.label_ranges.binary_search_by_key(&city.id, |labels| labels.0).map(|at| self.label_ranges[at]);
        let others = found.map_or(&[][..], |(_, start, end)| &self.labels[start as usize..end as usize]);
        LocalizedNames { default: city.name, translations: others }
    }

    /// The city at a place by name.
    pub(super) fn city_at(&self, place: usize) -> City {
        let row = &self.cities[place];
        let timezone = self.timezones[usize::from(row.timezone_index)];
        City { id: row.id, country: row.country, timezone, population: row.population, names: self.names_of(row) }
    }

    /// The place by name of a city.
    pub(super) fn city_index(&self, id: CityId) -> Option<usize> {
        let found = self.city_order_by_id.binary_search_by_key(&id, |place| self.cities[*place as usize].id).ok()?;
        Some(self.city_order_by_id[found] as usize)
    }

    pub(super) fn city(&self, id: CityId) -> Option<City> {
        self.city_index(id).map(|place| self.city_at(place))
    }

    /// The place by name of a country.
    pub(super) fn country_index(&self, id: CountryId) -> Option<usize> {
        let found =
            self.country_order_by_id.binary_search_by_key(&id, |place| self.countries[usize::from(*place)].id).ok()?;
        Some(usize::from(self.country_order_by_id[found]))
    }

    pub(super) fn country(&self, id: CountryId) -> Option<Country> {
        self.country_index(id).map(|place| self.countries[place])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_file_is_read() {
        let mut reading = GeoParser::default();
        for line in TEXT.lines() {
            assert_eq!(reading.parse_line(line), Some(()), "{line}");
        }
        assert_eq!((reading.countries.len(), reading.cities.len()), (250, 69_472));
        assert!(reading.labels.iter().all(|(language, _)| reading.languages.contains(language)));
        let first = |country: &Country| country.names.by_language().next().map(|(language, _)| language);
        assert!(reading.countries.iter().all(|country| first(country) == Some(ENGLISH)));
    }

    #[test]
    fn every_id_is_found_and_is_there_once() {
        for (place, row) in GEO_DATA.cities.iter().enumerate() {
            assert_eq!(GEO_DATA.city_index(row.id), Some(place));
            assert!(GEO_DATA.country(row.country).is_some(), "{}", row.country);
        }
        for (place, country) in GEO_DATA.countries.iter().enumerate() {
            assert_eq!(GEO_DATA.country_index(country.id), Some(place));
        }
    }

    #[test]
    fn a_search_for_a_name_looks_at_its_own_city_only() {
        for (place, row) in GEO_DATA.cities.iter().enumerate() {
            assert!(GEO_DATA.city_search_texts.get(place).starts_with(&row.name.to_lowercase()), "{}", row.name);
        }
    }
}
