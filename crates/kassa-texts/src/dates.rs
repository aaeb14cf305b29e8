//! Days and times, as they are written in each language.

use jiff::civil::{Date, Weekday};
use jiff::{Timestamp, Zoned};

use crate::language::Language;

const EN_MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const EN_MONTHS_SHORT: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const EN_DAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const EN_DAYS_SHORT: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

const DE_MONTHS: [&str; 12] = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
];
const DE_MONTHS_SHORT: [&str; 12] =
    ["Jan.", "Feb.", "März", "Apr.", "Mai", "Juni", "Juli", "Aug.", "Sept.", "Okt.", "Nov.", "Dez."];
const DE_DAYS: [&str; 7] = ["Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"];
const DE_DAYS_SHORT: [&str; 7] = ["Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"];

const RU_MONTHS: [&str; 12] = [
    "январь",
    "февраль",
    "март",
    "апрель",
    "май",
    "июнь",
    "июль",
    "август",
    "сентябрь",
    "октябрь",
    "ноябрь",
    "декабрь",
];
/// As they stand after the number of a day.
const RU_MONTHS_GENITIVE: [&str; 12] = [
    "января",
    "февраля",
    "марта",
    "апреля",
    "мая",
    "июня",
    "июля",
    "августа",
    "сентября",
    "октября",
    "ноября",
    "декабря",
];
const RU_MONTHS_SHORT: [&str; 12] =
    ["янв.", "февр.", "марта", "апр.", "мая", "июня", "июля", "авг.", "сент.", "окт.", "нояб.", "дек."];
const RU_DAYS: [&str; 7] = ["понедельник", "вторник", "среда", "четверг", "пятница", "суббота", "воскресенье"];
const RU_DAYS_SHORT: [&str; 7] = ["пн", "вт", "ср", "чт", "пт", "сб", "вс"];

/// In which form a month is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MonthName {
    /// Alone, as a heading has it.
    Full,
    /// Beside the number of a day, as short as it gets.
    Short,
}

fn nth<T: Copy>(table: &[T], at: usize) -> T {
    // Months and weekdays are within their tables.
    table[at % table.len()]
}

fn month_at(month: i8) -> usize {
    usize::try_from(month - 1).unwrap_or_default()
}

impl Language {
    /// The name of a month (1 to 12).
    pub fn month(self, month: i8, form: MonthName) -> &'static str {
        let table = match (self, form) {
            (Self::En, MonthName::Full) => &EN_MONTHS,
            (Self::En, MonthName::Short) => &EN_MONTHS_SHORT,
            (Self::De, MonthName::Full) => &DE_MONTHS,
            (Self::De, MonthName::Short) => &DE_MONTHS_SHORT,
            (Self::Ru, MonthName::Full) => &RU_MONTHS,
            (Self::Ru, MonthName::Short) => &RU_MONTHS_SHORT,
        };
        nth(table, month_at(month))
    }

    /// A month of a year, as a heading has it: `December 2026`.
    pub fn month_of_year(self, month: i8, year: i16) -> String {
        format!("{} {year}", capitalized(self.month(month, MonthName::Full)))
    }

    /// The name of a day of the week.
    pub fn weekday(self, day: Weekday) -> &'static str {
        let table = match self {
            Self::En => &EN_DAYS,
            Self::De => &DE_DAYS,
            Self::Ru => &RU_DAYS,
        };
        nth(table, weekday_at(day))
    }

    /// The same in two or three letters.
    pub fn weekday_short(self, day: Weekday) -> &'static str {
        let table = match self {
            Self::En => &EN_DAYS_SHORT,
            Self::De => &DE_DAYS_SHORT,
            Self::Ru => &RU_DAYS_SHORT,
        };
        nth(table, weekday_at(day))
    }

    /// A day in full: `Saturday, 12 December 2026`.
    pub fn full_date(self, date: Date) -> String {
        let (weekday, day, year) = (self.weekday(date.weekday()), date.day(), date.year());
        match self {
            Self::En => format!("{weekday}, {day} {} {year}", nth(&EN_MONTHS, month_at(date.month()))),
            Self::De => format!("{weekday}, {day}. {} {year}", nth(&DE_MONTHS, month_at(date.month()))),
            Self::Ru => format!("{weekday}, {day} {} {year} г.", nth(&RU_MONTHS_GENITIVE, month_at(date.month()))),
        }
    }

    /// A day without its weekday: `12 December 2026`.
    pub fn date(self, date: Date) -> String {
        let (day, year) = (date.day(), date.year());
        match self {
            Self::En => format!("{day} {} {year}", nth(&EN_MONTHS, month_at(date.month()))),
            Self::De => format!("{day}. {} {year}", nth(&DE_MONTHS, month_at(date.month()))),
            Self::Ru => format!("{day} {} {year} г.", nth(&RU_MONTHS_GENITIVE, month_at(date.month()))),
        }
    }

    /// A day with its weekday, as short as it gets: `Sat 12 Dec`.
    pub fn short_date(self, date: Date) -> String {
        let (weekday, day) = (self.weekday_short(date.weekday()), date.day());
        let month = self.month(date.month(), MonthName::Short);
        match self {
            Self::En => format!("{weekday} {day} {month}"),
            Self::De => format!("{weekday}, {day}. {month}"),
            Self::Ru => format!("{weekday}, {day} {month}"),
        }
    }

    /// The time of a day: `19:30`; in German, `19:30 Uhr`.
    pub fn time(self, at: &Zoned) -> String {
        let time = at.strftime("%H:%M");
        match self {
            Self::En | Self::Ru => time.to_string(),
            Self::De => format!("{time}\u{a0}Uhr"),
        }
    }

    /// From one time of a day to another: `19:30–22:00`.
    pub fn time_span(self, from: &Zoned, till: &Zoned) -> String {
        format!("{}–{}", from.strftime("%H:%M"), self.time(till))
    }

    /// What a zone's time is called at an instant: `CET`, or how far it is from UTC where it has no name, `UTC+04`.
    pub fn zone(at: &Zoned) -> String {
        let info = at.time_zone().to_offset_info(Timestamp::from(at));
        let name = info.abbreviation();
        if name.chars().all(|letter| letter.is_ascii_alphabetic()) { name.to_owned() } else { format!("UTC{name}") }
    }

    /// From one day to another: `12–14 December 2026`, `30 December 2026 – 2 January 2027`.
    pub fn date_span(self, from: Date, till: Date) -> String {
        if (from.year(), from.month()) != (till.year(), till.month()) {
            return format!("{} – {}", self.date(from), self.date(till));
        }
        let dot = if self == Self::De { "." } else { "" };
        format!("{}{dot}–{}", from.day(), self.date(till))
    }
}

/// A text as a line begins with it: its first letter is a capital.
pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    first + letters.as_str()
}

fn weekday_at(day: Weekday) -> usize {
    usize::try_from(day.to_monday_zero_offset()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn days_are_written_as_each_language_writes_them() {
        let day = date(2026, 12, 5);
        let each = |show: fn(Language, Date) -> String| Language::ALL.map(|language| show(language, day));
        assert_eq!(
            each(Language::full_date),
            ["Saturday, 5 December 2026", "Samstag, 5. Dezember 2026", "суббота, 5 декабря 2026 г."]
        );
        assert_eq!(each(Language::date), ["5 December 2026", "5. Dezember 2026", "5 декабря 2026 г."]);
        assert_eq!(each(Language::short_date), ["Sat 5 Dec", "Sa, 5. Dez.", "сб, 5 дек."]);
        assert_eq!(capitalized(&Language::Ru.full_date(day)), "Суббота, 5 декабря 2026 г.");
        assert_eq!(Language::Ru.month_of_year(12, 2026), "Декабрь 2026");
    }

    #[test]
    fn spans_name_a_month_once_if_they_can() {
        let (first, last, next) = (date(2026, 12, 5), date(2026, 12, 7), date(2027, 1, 2));
        assert_eq!(Language::En.date_span(first, last), "5–7 December 2026");
        assert_eq!(Language::De.date_span(first, last), "5.–7. Dezember 2026");
        assert_eq!(Language::En.date_span(first, next), "5 December 2026 – 2 January 2027");
    }

    #[test]
    fn times_are_those_of_their_zone_with_its_name() {
        let at = |zone: &str| "2026-07-01T17:30:00Z".parse::<Timestamp>().unwrap().in_tz(zone).unwrap();
        let (berlin, dubai) = (at("Europe/Berlin"), at("Asia/Dubai"));
        assert_eq!((Language::En.time(&berlin), Language::zone(&berlin)), ("19:30".into(), "CEST".into()));
        assert_eq!(Language::De.time(&berlin), "19:30\u{a0}Uhr");
        assert_eq!((Language::Ru.time(&dubai), Language::zone(&dubai)), ("21:30".into(), "UTC+04".into()));
        assert_eq!(Language::De.time_span(&berlin, &dubai), "19:30–21:30\u{a0}Uhr");
    }
}
