//! Countries and cities, as callers of the domain see them.
#![cfg(test)]

use kassa_domain::geo::{self, CitiesQuery, CityField, CityId, CountriesQuery, CountryField, CountryId};

const MOSCOW: CityId = CityId(524_901);
const PETERSBURG: CityId = CityId(498_817);
const NOVGOROD: CityId = CityId(520_555);

fn country(text: &str) -> CountryId {
    text.parse().expect("two letters")
}

fn ids(query: &CitiesQuery) -> Vec<u32> {
    query.list(0, 10).items.iter().map(|city| city.id.0).collect()
}

#[test]
fn a_city_is_found_by_its_id() {
    let moscow = geo::city(MOSCOW).expect("Moscow");
    assert_eq!((moscow.country.as_str(), moscow.timezone), ("RU", "Europe/Moscow"));
    assert_eq!((moscow.names.default, moscow.names.in_language("ru")), ("Moscow", "Москва"));
    assert!(moscow.population > 10_000_000);
    for id in [0, 1, 524_900, u32::MAX] {
        assert_eq!(geo::city(CityId(id)), None, "{id}");
    }
}

#[test]
fn every_place_has_an_english_name_and_other_names_only_where_it_is_labelled() {
    let petersburg = geo::city(PETERSBURG).expect("Saint Petersburg");
    let names: Vec<(&str, &str)> = petersburg.names.by_language().collect();
    assert_eq!(names, [("en", "Saint Petersburg")], "no source labels its names");
    let russia = geo::country(country("ru")).expect("Russia");
    assert_eq!((russia.names.default, russia.names.in_language("ru")), ("Russia", "Россия"));
    assert_eq!(russia.names.in_language("tlh"), "Russia", "in an unknown language the name is the one by default");
}

#[test]
fn ids_are_read_in_their_forms_and_no_other() {
    for text in ["ru", "RU", "Ru"] {
        assert_eq!(country(text).to_string(), "RU");
    }
    for text in ["", "r", "rus", "r1", "я", "РФ"] {
        assert!(text.parse::<CountryId>().is_err(), "{text}");
    }
    for text in ["", "+1", "-1", " 1", "1.0", "x", "4294967296"] {
        assert!(text.parse::<CityId>().is_err(), "{text}");
    }
}

#[test]
fn cities_are_ordered_by_name_unless_something_else_is_asked_for() {
    let wanted =
        CitiesQuery { ids: Some(vec![PETERSBURG, MOSCOW, NOVGOROD, MOSCOW, CityId(1)]), ..CitiesQuery::default() };
    let cases = [
        (vec![], [MOSCOW, NOVGOROD, PETERSBURG]),
        (vec![(CityField::Name, true)], [PETERSBURG, NOVGOROD, MOSCOW]),
        (vec![(CityField::Population, false)], [NOVGOROD, PETERSBURG, MOSCOW]),
        (vec![(CityField::Id, false)], [PETERSBURG, NOVGOROD, MOSCOW]),
        (vec![(CityField::Country, true), (CityField::Timezone, false)], [MOSCOW, NOVGOROD, PETERSBURG]),
        (vec![(CityField::Country, false), (CityField::Population, true)], [MOSCOW, PETERSBURG, NOVGOROD]),
    ];
    for (sort, order) in cases {
        let query = CitiesQuery { sort, ..wanted.clone() };
        assert_eq!(ids(&query), order.map(|id| id.0), "{query:?}");
        assert_eq!(query.list(0, 10).total, 3);
    }
}

#[test]
fn pages_of_a_sorted_list_follow_each_other() {
    for sort in [vec![(CityField::Population, true)], vec![(CityField::Country, false), (CityField::Timezone, true)]] {
        let query =
            CitiesQuery { country: None, name_contains: Some("ville".to_owned()), sort, ..CitiesQuery::default() };
        let whole = query.list(0, usize::MAX);
        assert!(whole.total > 300, "{}", whole.total);
        let pages: Vec<_> = (0..).step_by(70).take_while(|at| *at < whole.total).map(|at| query.list(at, 70)).collect();
        assert!(pages.iter().all(|page| page.total == whole.total));
        assert_eq!(pages.into_iter().flat_map(|page| page.items).collect::<Vec<_>>(), whole.items, "{query:?}");
        assert_eq!(query.list(whole.total, 70).items, []);
    }
}

#[test]
fn a_name_is_found_by_any_part_of_it_in_any_language_and_case() {
    let within = |text: &str| CitiesQuery {
        name_contains: Some(text.to_owned()),
        country: Some(country("RU")),
        ..CitiesQuery::default()
    };
    for text in ["moscow", "MOSC", "оскв", "МОСКВА", "Moskau", "莫斯科"] {
        let found = within(text).list(0, 1_000);
        assert!(found.items.iter().any(|city| city.id == MOSCOW), "{text}");
    }
    assert_eq!(within("no such city").list(0, 10).total, 0);
    let foreign = CitiesQuery { country: Some(country("DE")), ..within("Moscow") };
    assert_eq!(ids(&foreign), [0; 0]);
    let greek = CitiesQuery { name_contains: Some("ΑΘΉΝΑ".to_owned()), ..CitiesQuery::default() };
    assert_eq!(greek.list(0, 10).total, 1);
}

#[test]
fn a_part_of_a_list_knows_how_long_the_whole_is() {
    let all = CitiesQuery::default();
    let (first, second) = (all.list(0, 3), all.list(1, 2));
    assert_eq!((first.total, second.total), (69_472, 69_472));
    assert_eq!(first.items[1..], second.items);
    assert!(all.list(usize::MAX, 10).items.is_empty());
}

#[test]
fn countries_are_listed_alike() {
    let codes = |query: &CountriesQuery| -> Vec<String> {
        query.list(0, 3).items.iter().map(|country| country.id.to_string()).collect()
    };
    assert_eq!(CountriesQuery::default().list(0, 0).total, 250);
    assert_eq!(codes(&CountriesQuery::default()), ["AF", "AL", "DZ"]);
    let by_id = CountriesQuery { sort: vec![(CountryField::Id, true)], ..CountriesQuery::default() };
    assert_eq!(codes(&by_id), ["ZW", "ZM", "ZA"]);
    let named = CountriesQuery { name_contains: Some("РОССИ".to_owned()), ..CountriesQuery::default() };
    assert_eq!(codes(&named), ["RU"]);
    let some = CountriesQuery { ids: Some(vec![country("RU"), country("DE"), country("ZZ")]), ..named };
    assert_eq!(codes(&some), ["RU"]);
}
