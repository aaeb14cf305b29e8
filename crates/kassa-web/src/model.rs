//! What the interface says of events, sets and partners, as far as pages show it.

use std::collections::BTreeMap;

use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use kassa_domain::translation::Translation;
use kassa_texts::{Amount, Language};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};

use crate::slug;

/// Letters that a title has which is set large, at most.
const TITLE_LENGTH_MAX: usize = 48;

/// A reference that is shown as an object, unless the caller may not see it: then it is an id only.
#[derive(Clone, Debug)]
pub(crate) struct Reference<T>(Option<T>);

impl<'de, T: DeserializeOwned> Deserialize<'de> for Reference<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        if !value.is_object() {
            return Ok(Self(None));
        }
        serde_json::from_value(value).map(|object| Self(Some(object))).map_err(serde::de::Error::custom)
    }
}

impl<T> Reference<T> {
    /// To something that can be shown.
    pub(crate) fn shown(object: T) -> Self {
        Self(Some(object))
    }

    /// To something that cannot be shown.
    pub(crate) fn hidden() -> Self {
        Self(None)
    }

    /// What it refers to.
    pub(crate) fn seen(&self) -> Option<&T> {
        self.0.as_ref()
    }
}

/// An event.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct EventData {
    pub(crate) id: String,
    pub(crate) status: EventStatus,
    #[serde(deserialize_with = "span_of_vevent")]
    pub(crate) lifetime: Option<Span>,
    pub(crate) title: Title,
    /// Both in further languages.
    #[serde(default)]
    pub(crate) translations: Vec<Translation>,
    /// Its title before it was put into another language.
    #[serde(skip)]
    pub(crate) original_title: Option<String>,
    pub(crate) age_rating: u32,
    /// How long orders hold tickets.
    #[serde(default)]
    pub(crate) hold_minutes: u32,
    #[serde(default)]
    pub(crate) media: Covers,
    pub(crate) org: Reference<PartnerData>,
    pub(crate) venue: Option<Reference<Venue>>,
    pub(crate) sets: Vec<SetData>,
    /// The hall map that its seats are on.
    #[serde(default)]
    pub(crate) map: Option<String>,
    /// Tickets of one order, at most.
    #[serde(default)]
    pub(crate) tickets_limit: usize,
    /// What becomes of orders that leave single seats: `off`, `warn` or `forbid`.
    #[serde(default)]
    pub(crate) single_seats: String,
    /// Whether those who buy give their name, and their telephone: `required`, `optional` or `hidden`.
    #[serde(default)]
    pub(crate) buyer_name: String,
    #[serde(default)]
    pub(crate) buyer_phone: String,
    /// What those who buy are asked.
    #[serde(default)]
    pub(crate) questions: Vec<QuestionData>,
    /// Until when names on tickets can be changed.
    #[serde(default)]
    pub(crate) name_change_until: Option<String>,
    #[serde(default)]
    pub(crate) updated_at: Option<String>,
    /// Whether it is removed: its organizer alone sees it then.
    #[serde(default)]
    pub(crate) removed: bool,
}

/// A title and a description.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Title {
    pub(crate) text: String,
    #[serde(default)]
    pub(crate) desc: Option<String>,
}

/// How far an event is.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum EventStatus {
    /// Not to be sold yet, or no more.
    StandBy,
    /// To be sold.
    Public,
    /// Called off.
    Canceled,
    /// Over.
    Finished,
}

/// A span of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: Option<Timestamp>,
    pub(crate) end: Option<Timestamp>,
}

/// Pictures of an event.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Covers {
    #[serde(default)]
    pub(crate) cover: Option<Picture>,
    #[serde(default)]
    pub(crate) cover_small: Option<Picture>,
}

/// Pictures of a partner.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Logos {
    #[serde(default)]
    pub(crate) logo: Option<Picture>,
}

/// A picture.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Picture {
    url: String,
}

impl Picture {
    /// Its path on this server.
    pub(crate) fn path(&self) -> &str {
        let rest = self.url.split_once("://").map_or(self.url.as_str(), |(_, rest)| rest);
        rest.find('/').map_or("", |at| &rest[at..])
    }
}

/// How a partner sells to people.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct ShopData {
    /// Whether anybody can order there.
    #[serde(default)]
    pub(crate) open: bool,
    /// How orders can be paid.
    #[serde(default)]
    pub(crate) payments: Vec<String>,
    /// The sites that may have it in a frame.
    #[serde(default)]
    pub(crate) origins: Vec<String>,
    /// Its colour.
    #[serde(default)]
    pub(crate) accent: Option<String>,
    /// What it says of itself.
    #[serde(default)]
    pub(crate) about: Option<String>,
    /// Where people write to it.
    #[serde(default)]
    pub(crate) email: Option<String>,
    /// Where people call it.
    #[serde(default)]
    pub(crate) phone: Option<String>,
    /// The picture at the head of its pages.
    #[serde(default)]
    pub(crate) header: Option<Picture>,
    /// The terms that whoever buys there accepts.
    #[serde(default)]
    pub(crate) terms: Option<TermsData>,
}

/// Terms of a seller.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct TermsData {
    #[serde(default)]
    pub(crate) text: Option<String>,
    #[serde(default)]
    pub(crate) file: Option<Picture>,
    pub(crate) since: String,
}

/// A question that an event asks.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct QuestionData {
    pub(crate) id: String,
    pub(crate) text: String,
    pub(crate) kind: String,
    pub(crate) per: String,
    pub(crate) options: Vec<String>,
    pub(crate) required: bool,
}

/// A partner, as far as everybody sees it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct PartnerData {
    pub(crate) id: String,
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) desc: Option<String>,
    #[serde(default)]
    pub(crate) roles: Vec<String>,
    #[serde(default)]
    pub(crate) media: Logos,
    #[serde(default)]
    pub(crate) shop: ShopData,
    #[serde(default)]
    contact: Contact,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct Contact {
    #[serde(default)]
    www: Option<String>,
}

impl PartnerData {
    /// One of whom no more than the name is known.
    pub(crate) fn named(id: &str, name: String) -> Self {
        let (media, shop) = (Logos::default(), ShopData::default());
        Self { id: id.to_owned(), name, desc: None, roles: Vec::new(), media, shop, contact: Contact::default() }
    }

    /// Its site, if that is one: nobody is led to an address of another kind.
    pub(crate) fn site(&self) -> Option<&str> {
        self.contact.www.as_deref().filter(|www| www.starts_with("https://") || www.starts_with("http://"))
    }
}

/// Where an event takes place.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Venue {
    #[serde(default)]
    pub(crate) id: String,
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) desc: Option<String>,
    #[serde(default)]
    pub(crate) address: Option<String>,
    #[serde(default)]
    pub(crate) point: Option<Point>,
    #[serde(default)]
    pub(crate) city: Option<Reference<City>>,
    #[serde(default)]
    pub(crate) country: Option<Reference<Country>>,
}

/// A place on the globe: longitude, latitude.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Point {
    pub(crate) coordinates: [f64; 2],
}

/// A city.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct City {
    name: BTreeMap<String, String>,
    timezone: String,
}

/// A country.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Country {
    name: BTreeMap<String, String>,
}

impl City {
    /// Its name in a language, if it has one there.
    pub(crate) fn name(&self, language: Language) -> &str {
        name_in(&self.name, language)
    }
}

impl Country {
    /// Its name in a language, if it has one there.
    pub(crate) fn name(&self, language: Language) -> &str {
        name_in(&self.name, language)
    }
}

fn name_in(names: &BTreeMap<String, String>, language: Language) -> &str {
    names.get(language.code()).or_else(|| names.get("default")).map_or("", String::as_str)
}

/// A set of tickets.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct SetData {
    pub(crate) id: String,
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) desc: Option<String>,
    pub(crate) amount: i64,
    pub(crate) amount_vacant: i64,
    #[serde(deserialize_with = "amount")]
    pub(crate) price: Amount,
    #[serde(default)]
    pub(crate) with_seats: bool,
    current_rule: Option<RuleId>,
    rules: Vec<PriceRule>,
}

#[derive(Clone, Debug, Deserialize)]
struct RuleId {}

/// A price, and when it holds.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct PriceRule {
    #[serde(rename = "cal", deserialize_with = "span_of_vevent")]
    span: Option<Span>,
    #[serde(deserialize_with = "amount")]
    pub(crate) price: Amount,
}

impl PriceRule {
    /// When it begins to hold; `None` if it always did.
    pub(crate) fn start(&self) -> Option<Timestamp> {
        self.span.and_then(|span| span.start)
    }
}

impl SetData {
    /// Whether it is on sale now, as far as there are tickets.
    pub(crate) fn has_price_now(&self) -> bool {
        self.current_rule.is_some()
    }

    /// The prices that come after `now`, the next one first.
    pub(crate) fn coming_prices(&self, now: Timestamp) -> Vec<(Timestamp, Amount)> {
        let coming = self.rules.iter().filter_map(|rule| Some((rule.start()?, rule.price)));
        let mut coming: Vec<_> = coming.filter(|(start, _)| *start > now).collect();
        coming.sort_unstable();
        coming
    }
}

impl EventData {
    /// The same with its texts in a language, as far as it has them in that.
    pub(crate) fn in_language(mut self, language: Language) -> Self {
        if let Some(translation) = Translation::find(&self.translations, language.code()).cloned() {
            if let Some(title) = translation.title {
                self.original_title = Some(std::mem::replace(&mut self.title.text, title));
            }
            self.title.desc = translation.desc.or(self.title.desc);
        }
        self
    }

    /// What its paths call it, which is the same in all languages.
    pub(crate) fn segment(&self) -> String {
        slug::segment(self.original_title.as_deref().unwrap_or(&self.title.text), &self.id)
    }

    /// Whether its title is set smaller, so that it does not fill a page.
    pub(crate) fn has_long_title(&self) -> bool {
        self.title.text.chars().count() > TITLE_LENGTH_MAX
    }

    /// Where it takes place, if that is known.
    pub(crate) fn venue(&self) -> Option<&Venue> {
        self.venue.as_ref().and_then(Reference::seen)
    }

    /// The city where it takes place, if that is known.
    pub(crate) fn city(&self) -> Option<&City> {
        self.venue().and_then(|venue| venue.city.as_ref()).and_then(Reference::seen)
    }

    /// The zone of its times: that of its city, else UTC.
    pub(crate) fn zone(&self) -> TimeZone {
        self.city().and_then(|city| TimeZone::get(&city.timezone).ok()).unwrap_or(TimeZone::UTC)
    }

    /// When it begins and ends, where it takes place.
    pub(crate) fn span(&self) -> Option<(Zoned, Zoned)> {
        let span = self.lifetime?;
        let (start, zone) = (span.start?, self.zone());
        Some((start.to_zoned(zone.clone()), span.end.unwrap_or(start).to_zoned(zone)))
    }

    /// When it begins; those without a time come last.
    pub(crate) fn order(&self) -> Timestamp {
        self.lifetime.and_then(|span| span.start).unwrap_or(Timestamp::MAX)
    }
}

pub(crate) fn amount<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Amount, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
}

/// Reads a VEVENT (RFC 5545), which the interface writes in UTC.
fn span_of_vevent<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Span>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    Ok(text.as_deref().map(read_span))
}

/// The span of a VEVENT.
pub(crate) fn read_span(text: &str) -> Span {
    Span { start: time_of(text, "DTSTART"), end: time_of(text, "DTEND") }
}

fn time_of(vevent: &str, property: &str) -> Option<Timestamp> {
    let line =
        vevent.lines().find(|line| line.strip_prefix(property).is_some_and(|rest| rest.starts_with([':', ';'])))?;
    let (_, value) = line.rsplit_once(':')?;
    let civil = jiff::civil::DateTime::strptime("%Y%m%dT%H%M%SZ", value).ok()?;
    civil.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_from_a_vevent() {
        let vevent =
            "BEGIN:VEVENT\r\nDTSTART;VALUE=DATE-TIME:20350601T180000Z\r\nDTEND:20350601T220000Z\r\nEND:VEVENT\r\n";
        assert_eq!(time_of(vevent, "DTSTART"), Some("2035-06-01T18:00:00Z".parse().unwrap()));
        assert_eq!(time_of(vevent, "DTEND"), Some("2035-06-01T22:00:00Z".parse().unwrap()));
        assert_eq!(time_of("BEGIN:VEVENT\r\nDTSTART:soon\r\n", "DTSTART"), None);
    }

    #[test]
    fn a_picture_is_loaded_from_this_server() {
        let path = |url: &str| Picture { url: url.to_owned() }.path().to_owned();
        assert_eq!(path("https://tickets.example.org:8080/files/00ff"), "/files/00ff");
        assert_eq!(path("nothing"), "");
    }
}
