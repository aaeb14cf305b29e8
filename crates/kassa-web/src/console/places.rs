//! Where events take place: the places of a partner, new ones, and the zones of their times.

use jiff::tz::TimeZone;
use kassa_texts::Texts;
use serde_json::{Value, json};

use super::fault::Fault;
use super::fields::Fields;
use super::times::zone_of;
use super::visit::{Visit, checked_id};
use crate::form::encoded;

/// Places of a choice, at most: the newest.
const OFFERED_MAX: usize = 200;
/// Cities that are offered in place of one that is not known.
const SIMILAR_MAX: usize = 5;
const VENUE_FIELDS: &str = "id,name,city%7Bname,timezone%7D";

/// A place that can be chosen.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) id: String,
    /// Its name, with its city.
    pub(crate) label: String,
}

/// The places that a partner has made.
pub(crate) async fn places_of(visit: &Visit<'_>) -> Result<Vec<Place>, Fault> {
    let (partner, code) = (visit.segment("partner"), visit.request.language.code());
    let path = format!("/v1/resources/venues?org={partner}&limit={OFFERED_MAX}&fields-schema={VENUE_FIELDS}");
    let found = visit.read(&path).await?.value;
    let place = |venue: &Value| {
        let name = venue["name"].as_str().unwrap_or_default();
        let names = &venue["city"]["name"];
        let city = names[code].as_str().or_else(|| names["default"].as_str());
        Some(Place {
            id: venue["id"].as_str()?.to_owned(),
            label: city.map_or_else(|| name.to_owned(), |city| format!("{name}, {city}")),
        })
    };
    Ok(found.as_array().into_iter().flatten().filter_map(place).collect())
}

/// The zone of a place; UTC without one.
pub(crate) async fn zone_at(visit: &Visit<'_>, venue: &str) -> Result<TimeZone, Fault> {
    if venue.is_empty() {
        return Ok(TimeZone::UTC);
    }
    let venue = checked_id(venue)?;
    let found = visit.read(&format!("/v1/resources/venues/{venue}?fields-schema={VENUE_FIELDS}")).await?.value;
    Ok(zone_of(found["city"]["timezone"].as_str().unwrap_or_default()))
}

/// Makes the place that the fields of a form describe, if they describe one, and chooses it.
pub(crate) async fn make_described(visit: &Visit<'_>, fields: &mut Fields) -> Result<(), Fault> {
    let Some(name) = fields.given("venue_name").map(str::to_owned) else { return Ok(()) };
    let city = match fields.given("venue_city") {
        None => Value::Null,
        Some(wanted) => match city_called(visit, wanted).await? {
            Ok(id) => json!(id),
            Err(similar) => {
                fields.set_wrong("venue_city", unknown_city(visit.texts(), &similar));
                return Ok(());
            }
        },
    };
    let venue = json!({"name": name, "address": fields.given("venue_address"), "city": city});
    match visit.send("POST", "/v1/resources/venues", Some(&venue)).await? {
        Ok(made) => {
            fields.set("venue", made.value["id"].as_str().unwrap_or_default());
            for name in ["venue_name", "venue_address", "venue_city"] {
                fields.set(name, "");
            }
        }
        Err(refusal) => {
            let names = [("name", "venue_name"), ("address", "venue_address"), ("city", "venue_city")];
            fields.refuse(visit.texts(), &refusal, &names);
        }
    }
    Ok(())
}

pub(crate) fn unknown_city(texts: &Texts, similar: &[String]) -> String {
    match similar {
        [] => texts.text("wrong-city"),
        names => texts.about("wrong-city-similar", &names.join("; ")),
    }
}

/// The number of a city, by its name in any language, with the letters of its country behind a comma where that matters:
/// the largest one of that name. Else the names of similar ones.
pub(crate) async fn city_called(visit: &Visit<'_>, wanted: &str) -> Result<Result<u64, Vec<String>>, Fault> {
    let (name, country) = wanted.rsplit_once(',').map_or((wanted, ""), |(name, country)| (name, country.trim()));
    let name = name.trim();
    let path = format!("/v1/resources/cities?suggest={}&sort=-population&limit=50", encoded(name));
    let found = visit.read(&path).await?.value;
    let cities: Vec<&Value> = found.as_array().into_iter().flatten().collect();
    let is_called = |city: &&&Value| {
        let names = city["name"].as_object().into_iter().flat_map(|names| names.values());
        let is_name = names.filter_map(Value::as_str).any(|other| other.to_lowercase() == name.to_lowercase());
        let is_there =
            country.is_empty() || city["country"].as_str().is_some_and(|other| other.eq_ignore_ascii_case(country));
        is_name && is_there
    };
    if let Some(id) = cities.iter().find(is_called).and_then(|city| city["id"].as_u64()) {
        return Ok(Ok(id));
    }
    let code = visit.request.language.code();
    let label = |city: &&Value| {
        let name = city["name"][code].as_str().or_else(|| city["name"]["default"].as_str())?;
        Some(format!("{name}, {}", city["country"].as_str().unwrap_or_default()))
    };
    Ok(Err(cities.iter().filter_map(label).take(SIMILAR_MAX).collect()))
}
