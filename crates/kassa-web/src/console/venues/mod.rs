//! Places where events take place: those that a partner has made, and what it changes of them.

mod form;
mod listing;
mod showing;

pub(crate) use self::listing::list;
pub(crate) use self::showing::{create, show};

/// What pages show of a place.
const VENUE_FIELDS: &str = "id,name,desc,address,point,removed,org%7Bid%7D,city%7Bname,country,timezone%7D";
const RESOURCE: &str = "/v1/resources/venues";

/// The name of a city in a language, with its country.
fn city_of(venue: &serde_json::Value, language: kassa_texts::Language) -> String {
    let names = &venue["city"]["name"];
    let name = names[language.code()].as_str().or_else(|| names["default"].as_str());
    match (name, venue["city"]["country"].as_str()) {
        (Some(name), Some(country)) => format!("{name}, {country}"),
        (name, _) => name.unwrap_or_default().to_owned(),
    }
}
