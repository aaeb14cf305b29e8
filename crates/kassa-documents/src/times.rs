//! Times as people at the venue read them.

use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use kassa_texts::{Language, capitalized};

/// When an event is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventTime {
    /// Its start, in milliseconds since 1970 (UTC).
    pub start_ms: i64,
    /// Its end, if it is known.
    pub finish_ms: Option<i64>,
    /// The time zone of its venue, by its name in the tz database; `None` is UTC.
    pub zone: Option<String>,
}

/// The same in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TimeTexts {
    /// The day on which it starts.
    pub(crate) date: String,
    /// From when to when, with the zone.
    pub(crate) time: String,
    /// When it ends, where that is a day later or more.
    pub(crate) ends: Option<String>,
}

impl EventTime {
    /// In one line of a language: `Friday, 1 June 2035, 20:00 – 23:00 (Europe/Berlin)`.
    pub fn one_line(&self, language: Language) -> String {
        let TimeTexts { date, time, ends } = self.in_words(language);
        let ends = ends.map(|ends| format!(" \u{2013} {ends}")).unwrap_or_default();
        format!("{date}, {time}{ends}")
    }

    /// In the words of a language.
    pub(crate) fn in_words(&self, language: Language) -> TimeTexts {
        let known = self.zone.as_deref().and_then(|name| Some((TimeZone::get(name).ok()?, name)));
        let (zone, zone_name) = known.unwrap_or((TimeZone::UTC, "UTC"));
        let start = zoned(self.start_ms, &zone);
        let finish = self.finish_ms.map(|finish| zoned(finish, &zone));
        let clock = |at: &Zoned| at.strftime("%H:%M").to_string();
        let (from, till) = (clock(&start), finish.as_ref().map(clock));
        let is_long = self.finish_ms.is_some_and(|finish| finish - self.start_ms >= DAY_MS);
        match (till, finish) {
            (Some(till), Some(finish)) if is_long => TimeTexts {
                date: date(&start, language),
                time: format!("{from} ({zone_name})"),
                ends: Some(format!("{}, {till}", date(&finish, language))),
            },
            (Some(till), _) => TimeTexts {
                date: date(&start, language),
                time: format!("{from}\u{2009}\u{2013}\u{2009}{till} ({zone_name})"),
                ends: None,
            },
            (None, _) => TimeTexts { date: date(&start, language), time: format!("{from} ({zone_name})"), ends: None },
        }
    }
}

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

fn zoned(ms: i64, zone: &TimeZone) -> Zoned {
    Timestamp::from_millisecond(ms).unwrap_or_default().to_zoned(zone.clone())
}

fn date(at: &Zoned, language: Language) -> String {
    capitalized(&language.full_date(at.date()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2035-06-01T18:00:00Z.
    const EVENING: i64 = 2_064_333_600_000;
    const HOUR_MS: i64 = 60 * 60 * 1_000;

    #[test]
    fn times_are_those_of_the_venue() {
        let words = |hours: Option<i64>, zone: Option<&str>, language| {
            let finish_ms = hours.map(|hours| EVENING + hours * HOUR_MS);
            let time = EventTime { start_ms: EVENING, finish_ms, zone: zone.map(str::to_owned) };
            let TimeTexts { date, time, ends } = time.in_words(language);
            (date, time.replace('\u{2009}', ""), ends.unwrap_or_default())
        };
        let berlin = Some("Europe/Berlin");
        let cases = [
            (words(Some(3), berlin, Language::En), ["Friday, 1 June 2035", "20:00–23:00 (Europe/Berlin)", ""]),
            (words(Some(5), berlin, Language::De), ["Freitag, 1. Juni 2035", "20:00–01:00 (Europe/Berlin)", ""]),
            (words(None, None, Language::Ru), ["Пятница, 1 июня 2035 г.", "18:00 (UTC)", ""]),
            (words(None, Some("Nowhere/Else"), Language::En), ["Friday, 1 June 2035", "18:00 (UTC)", ""]),
            (
                words(Some(48), berlin, Language::En),
                ["Friday, 1 June 2035", "20:00 (Europe/Berlin)", "Sunday, 3 June 2035, 20:00"],
            ),
        ];
        for ((date, time, ends), expected) in cases {
            assert_eq!([date.as_str(), &time, &ends], expected);
        }
    }
}
