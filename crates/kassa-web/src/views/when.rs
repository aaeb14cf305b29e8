//! When an event takes place, in words.

use jiff::civil::Date;
use jiff::{ToSpan as _, Zoned};
use kassa_texts::{Language, MonthName};

/// What ends so many hours after midnight, or earlier, is of the evening before.
const SMALL_HOURS: i64 = 6;
/// What is shorter than so many hours is of the day on which it begins.
const NIGHT_HOURS: i64 = 12;

/// The last day of an event, as people count days: a night is of the day on which it begins.
pub(crate) fn last_day(start: &Zoned, end: &Zoned) -> Date {
    let first = start.date();
    if start.duration_until(end).as_hours() < NIGHT_HOURS {
        return first;
    }
    end.checked_sub(SMALL_HOURS.hours()).map_or(first, |end| end.date()).max(first)
}

/// When an event takes place, in the zone of its place.
#[derive(Clone, Debug)]
pub(crate) struct When {
    /// In full: `Saturday, 5 December 2026`, or from which day to which.
    pub(crate) date: String,
    /// The time of a day: `19:30–22:00`. When it lasts longer, when it begins.
    pub(crate) time: String,
    /// What the zone's time is called: `CET`.
    pub(crate) zone: String,
    /// In one short line: `Sat 5 Dec, 19:30`.
    pub(crate) short: String,
    /// The number of the day, its month and its weekday, for a leaf of a calendar.
    pub(crate) day: String,
    pub(crate) month: &'static str,
    pub(crate) weekday: &'static str,
    /// The year, where it is not the present one.
    pub(crate) year: Option<String>,
    /// As programs read it.
    pub(crate) machine: String,
}

impl When {
    /// From one time to another, as seen in a year.
    pub(crate) fn new(language: Language, (start, end): &(Zoned, Zoned), present_year: i16) -> Self {
        let (first, last) = (start.date(), last_day(start, end));
        let is_one_day = first == last;
        let short_date = language.short_date(first);
        let short = if is_one_day {
            format!("{short_date}, {}", language.time(start))
        } else {
            format!("{short_date} – {}", language.short_date(last))
        };
        Self {
            date: if is_one_day { language.full_date(first) } else { language.date_span(first, last) },
            time: if is_one_day { language.time_span(start, end) } else { language.time(start) },
            zone: Language::zone(start),
            short,
            day: first.day().to_string(),
            month: language.month(first.month(), MonthName::Short),
            weekday: language.weekday_short(first.weekday()),
            year: (first.year() != present_year).then(|| first.year().to_string()),
            machine: start.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string(),
        }
    }
}
