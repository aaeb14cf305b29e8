//! Times as fields of forms have them, in the zone of a place, and as the interface has them.

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use kassa_texts::Language;
use serde_json::Value;

/// As a field has it: `2026-06-01T19:30`.
const FIELD: &str = "%Y-%m-%dT%H:%M";
/// As the interface takes it.
const UTC: &str = "%Y-%m-%dT%H:%M:%SZ";
const VEVENT: &str = "%Y%m%dT%H%M%SZ";

/// A time, as a field has it.
pub(crate) fn to_field(at: Timestamp, zone: &TimeZone) -> String {
    at.to_zoned(zone.clone()).strftime(FIELD).to_string()
}

/// The time that stands in a field; `None` if it is none.
pub(crate) fn of_field(text: &str, zone: &TimeZone) -> Option<Timestamp> {
    let read = DateTime::strptime(FIELD, text).or_else(|_| DateTime::strptime("%Y-%m-%dT%H:%M:%S", text)).ok()?;
    read.to_zoned(zone.clone()).ok().map(|zoned| zoned.timestamp())
}

/// A time, as the interface takes it.
pub(crate) fn to_utc(at: Timestamp) -> String {
    at.to_zoned(TimeZone::UTC).strftime(UTC).to_string()
}

/// A span of time, as the interface takes it.
pub(crate) fn to_vevent(start: Timestamp, end: Timestamp) -> String {
    let [start, end] = [start, end].map(|at| at.to_zoned(TimeZone::UTC).strftime(VEVENT).to_string());
    format!("BEGIN:VEVENT\r\nDTSTART:{start}\r\nDTEND:{end}\r\nEND:VEVENT\r\n")
}

/// The zone of a name; UTC if it is none.
pub(crate) fn zone_of(name: &str) -> TimeZone {
    TimeZone::get(name).unwrap_or(TimeZone::UTC)
}

/// A time in words: `5 December 2026, 19:30`.
pub(crate) fn in_words(language: Language, at: &Zoned) -> String {
    format!("{}, {}", language.date(at.date()), language.time(at))
}

/// The day of a time of the interface in words, in UTC as that is; empty if there is none.
pub(crate) fn day(language: Language, at: &Value) -> String {
    // Both versions begin with the day: `2026-06-01T17:30:00Z` and `2026-06-01 17:30:00`.
    let day = at.as_str().and_then(|at| at.get(..10)?.parse::<Date>().ok());
    day.map(|day| language.date(day)).unwrap_or_default()
}

/// A time as version 2 of the interface has it, in UTC.
pub(crate) fn of_v2(text: &str) -> Option<Timestamp> {
    let read = DateTime::strptime("%Y-%m-%d %H:%M:%S", text).ok()?;
    read.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_has_the_time_of_its_zone() {
        let zone = zone_of("Europe/Berlin");
        let at = of_field("2026-06-01T19:30", &zone).unwrap();
        assert_eq!(to_utc(at), "2026-06-01T17:30:00Z");
        assert_eq!(to_field(at, &zone), "2026-06-01T19:30");
        assert_eq!(of_field("2026-06-01T19:30:00", &zone), Some(at), "some browsers add seconds");
        assert_eq!(of_v2("2026-06-01 17:30:00"), Some(at));
        assert_eq!(of_field("soon", &zone), None);
    }

    #[test]
    fn a_day_is_in_words_whichever_version_names_it() {
        for at in ["2026-06-01T17:30:00Z", "2026-06-01 17:30:00", "2026-06-01"] {
            let at = Value::from(at);
            assert_eq!(day(Language::En, &at), "1 June 2026");
            assert_eq!(day(Language::De, &at), "1. Juni 2026");
            assert_eq!(day(Language::Ru, &at), "1 июня 2026 г.");
        }
        for none in [Value::Null, Value::from("soon"), Value::from("2026-06-91 00:00:00"), Value::from("ä")] {
            assert_eq!(day(Language::En, &none), "");
        }
    }
}
