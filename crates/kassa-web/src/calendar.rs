//! A month of a calendar, with the events of its days.

use jiff::ToSpan as _;
use jiff::Zoned;
use jiff::civil::Date;
use kassa_texts::{Language, Texts};

use crate::views::{Card, last_day};

/// Days that one event is shown on, at most.
const DAYS_MAX: usize = 62;
const DAYS_OF_WEEK: i8 = 7;

/// A month of a year.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Month(Date);

impl Month {
    /// The month of a day.
    pub(crate) fn of(day: Date) -> Self {
        Self(day.first_of_month())
    }

    /// Reads `2026-12`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (year, month) = text.split_once('-').filter(|(year, month)| year.len() == 4 && month.len() == 2)?;
        Date::new(year.parse().ok().filter(|year| *year > 0)?, month.parse().ok()?, 1).ok().map(Self)
    }

    /// As addresses have it.
    pub(crate) fn code(self) -> String {
        self.0.strftime("%Y-%m").to_string()
    }

    /// As people call it.
    pub(crate) fn name(self, language: Language) -> String {
        language.month_of_year(self.0.month(), self.0.year())
    }

    /// So many months later.
    pub(crate) fn plus(self, months: i32) -> Option<Self> {
        self.0.checked_add(months.months()).ok().map(Self)
    }

    fn contains(self, day: Date) -> bool {
        Self::of(day) == self
    }
}

/// A month, as a table.
#[derive(Debug)]
pub(crate) struct MonthTable<'a> {
    /// The days of the week: in short, and in full.
    pub(crate) weekdays: Vec<(&'static str, &'static str)>,
    pub(crate) weeks: Vec<Vec<Day<'a>>>,
    /// The events of the month.
    pub(crate) cards: Vec<&'a Card>,
}

/// A day of the table.
#[derive(Debug)]
pub(crate) struct Day<'a> {
    pub(crate) number: i8,
    /// The whole date, for those who hear the page.
    pub(crate) label: String,
    pub(crate) is_of_month: bool,
    pub(crate) is_today: bool,
    pub(crate) cards: Vec<&'a Card>,
}

impl<'a> MonthTable<'a> {
    /// A month with events and when they take place.
    pub(crate) fn new(month: Month, today: Date, texts: &Texts, events: &'a [(Option<(Zoned, Zoned)>, Card)]) -> Self {
        let language = texts.language();
        let dated = || events.iter().filter_map(|(span, card)| Some((span.as_ref()?, card)));
        let first = month.0;
        let before = first.weekday().to_monday_zero_offset();
        let monday = first.saturating_sub(i64::from(before).days());
        let weeks_count = usize::from((before + first.days_in_month() - 1).unsigned_abs()) / 7 + 1;
        let mut days = monday.series(1.day()).map(|date| {
            let on_day = dated().filter(|(span, _)| days_of(span).any(|day| day == date));
            let is_of_month = month.contains(date);
            Day {
                number: date.day(),
                label: language.full_date(date),
                is_of_month,
                is_today: date == today,
                cards: if is_of_month { on_day.map(|(_, card)| card).collect() } else { Vec::new() },
            }
        });
        let weeks = (0..weeks_count).map(|_| days.by_ref().take(7).collect()).collect();
        let weekdays = monday.series(1.day()).take(DAYS_OF_WEEK.unsigned_abs().into()).map(Date::weekday);
        Self {
            weekdays: weekdays.map(|day| (language.weekday_short(day), language.weekday(day))).collect(),
            weeks,
            cards: dated()
                .filter(|(span, _)| days_of(span).any(|day| month.contains(day)))
                .map(|(_, card)| card)
                .collect(),
        }
    }
}

/// The days of an event.
fn days_of((start, end): &(Zoned, Zoned)) -> impl Iterator<Item = Date> {
    let first = start.date();
    let last = last_day(start, end);
    first.series(1.day()).take_while(move |day| *day <= last).take(DAYS_MAX)
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use jiff::civil::date;
    use jiff::tz::TimeZone;

    use super::*;

    fn span(start: &str, end: &str) -> (Zoned, Zoned) {
        let at = |text: &str| text.parse::<Timestamp>().unwrap().to_zoned(TimeZone::UTC);
        (at(start), at(end))
    }

    #[test]
    fn a_month_is_whole_weeks_from_monday_on() {
        let texts = Texts::of(Language::En);
        let table = |month: &str| MonthTable::new(Month::parse(month).unwrap(), date(2026, 12, 5), texts, &[]);
        let december = table("2026-12");
        assert_eq!(december.weeks.len(), 5);
        assert_eq!((december.weeks[0][0].number, december.weeks[0][1].number), (30, 1));
        assert!(!december.weeks[0][0].is_of_month && december.weeks[0][1].is_of_month);
        assert!(december.weeks[0][5].is_today);
        assert_eq!(december.weekdays[6], ("Sun", "Sunday"));
        assert_eq!((table("2027-02").weeks.len(), table("2027-08").weeks.len()), (4, 6));
    }

    #[test]
    fn a_night_is_one_day_and_a_festival_is_several() {
        let days = |start, end| days_of(&span(start, end)).collect::<Vec<_>>();
        assert_eq!(days("2026-12-05T20:00:00Z", "2026-12-06T03:00:00Z"), [date(2026, 12, 5)]);
        let festival = days("2026-12-05T12:00:00Z", "2026-12-08T03:00:00Z");
        assert_eq!(festival, [date(2026, 12, 5), date(2026, 12, 6), date(2026, 12, 7)]);
    }

    #[test]
    fn a_month_is_a_year_and_a_number() {
        assert_eq!(Month::parse("2026-12").map(Month::code).as_deref(), Some("2026-12"));
        assert_eq!(Month::parse("2026-12").unwrap().plus(1).map(Month::code).as_deref(), Some("2027-01"));
        for text in ["", "2026", "2026-13", "2026-1", "-026-01", "0000-01", "20261-1", "2026-12-01"] {
            assert_eq!(Month::parse(text), None, "{text}");
        }
    }
}
