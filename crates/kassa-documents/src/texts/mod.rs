//! What documents say by themselves: one table for each language. Words in braces are filled in.

mod de;
mod en;
mod ru;

use std::fmt::Write as _;

use crate::language::Language;

/// The texts of a language.
pub(crate) struct Texts {
    /// The title of the document: `{event}`.
    pub(crate) document_title: &'static str,
    /// Which ticket of the order this is: `{number}`, `{count}`.
    pub(crate) ticket_of: &'static str,
    /// Which page this is: `{number}`, `{count}`.
    pub(crate) page_of: &'static str,
    /// Labels.
    pub(crate) labels: Labels,
    /// In place of a price: nothing is paid.
    pub(crate) free: &'static str,
    /// In place of a price: the organizer invites.
    pub(crate) invitation: &'static str,
    /// The heading of the notes.
    pub(crate) notes: &'static str,
    /// What to do at the entrance.
    pub(crate) at_the_entrance: &'static str,
    /// Until when tickets can be given back.
    pub(crate) returns: Returns,
    /// Who organizes: `{name}`.
    pub(crate) organizer: &'static str,
    /// Who sells, where that is not the organizer: `{name}`.
    pub(crate) vendor: &'static str,
    /// What the picture of a barcode is: `{digits}`.
    pub(crate) barcode_picture: &'static str,
    /// Between whole numbers and decimals.
    pub(crate) decimal_separator: char,
    /// Before a percent sign.
    pub(crate) percent_space: &'static str,
    /// Days of the week, from Monday on, as a line begins with them.
    pub(crate) weekdays: [&'static str; 7],
    /// Months as they stand in dates.
    pub(crate) months: [&'static str; 12],
    /// A date: `{weekday}`, `{day}`, `{month}`, `{year}`.
    pub(crate) date: &'static str,
}

/// Names of what stands on a ticket.
pub(crate) struct Labels {
    pub(crate) when: &'static str,
    pub(crate) ends: &'static str,
    pub(crate) place: &'static str,
    pub(crate) category: &'static str,
    pub(crate) sector: &'static str,
    pub(crate) row: &'static str,
    pub(crate) seat: &'static str,
    pub(crate) name: &'static str,
    pub(crate) price: &'static str,
    pub(crate) ticket: &'static str,
    pub(crate) order: &'static str,
    pub(crate) code: &'static str,
}

/// Sentences on tickets that are given back.
pub(crate) struct Returns {
    pub(crate) never: &'static str,
    pub(crate) until_end: &'static str,
    pub(crate) until_start: &'static str,
    /// `{days}` before the start: for one, for numbers such as 2, and for others.
    pub(crate) until_days: [&'static str; 3],
    /// Which of them.
    pub(crate) plural: fn(u32) -> usize,
    pub(crate) nothing_kept: &'static str,
    /// `{percent}`.
    pub(crate) part_kept: &'static str,
}

impl Texts {
    /// Those of a language.
    pub(crate) fn of(language: Language) -> &'static Self {
        match language {
            Language::En => &en::TEXTS,
            Language::De => &de::TEXTS,
            Language::Ru => &ru::TEXTS,
        }
    }

    /// An amount of hundredths as `1234.50`, with the separator of the language.
    pub(crate) fn amount(&self, minor: i64) -> String {
        let (sign, minor) = (if minor < 0 { "\u{2212}" } else { "" }, minor.unsigned_abs());
        format!("{sign}{}{}{:02}", minor / 100, self.decimal_separator, minor % 100)
    }

    /// Ten-thousandths of a percent as `12.5 %`.
    pub(crate) fn percent(&self, units: i64) -> String {
        let (whole, fraction) = (units / 10_000, units.unsigned_abs() % 10_000);
        let mut text = whole.to_string();
        if fraction != 0 {
            // Writing to a String does not fail.
            let _ = write!(text, "{}{}", self.decimal_separator, format!("{fraction:04}").trim_end_matches('0'));
        }
        text + self.percent_space + "%"
    }
}

/// A text with values in place of the words in braces. Values are not looked through.
pub(crate) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let (mut filled, mut rest) = (String::new(), template);
    while let Some((before, behind)) = rest.split_once('{') {
        let (word, behind) = behind.split_once('}').unwrap_or((behind, ""));
        filled.push_str(before);
        filled.push_str(values.iter().find(|(name, _)| *name == word).map_or("", |(_, value)| value));
        rest = behind;
    }
    filled + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_filled_in_once() {
        assert_eq!(fill("{a} of {b}!", &[("a", "{b}"), ("b", "2")]), "{b} of 2!");
    }

    #[test]
    fn numbers_are_those_of_the_language() {
        let [en, de, ru] = Language::ALL.map(Texts::of);
        assert_eq!([en.amount(123_450), de.amount(5), ru.amount(-100)], ["1234.50", "0,05", "\u{2212}1,00"]);
        assert_eq!([en.percent(125_000), de.percent(125_000), en.percent(1_000_000)], ["12.5%", "12,5\u{a0}%", "100%"]);
        let days = |texts: &Texts| [1, 2, 5, 21].map(|days| (texts.returns.plural)(days));
        assert_eq!([days(en), days(de), days(ru)], [[0, 2, 2, 2], [0, 2, 2, 2], [0, 1, 2, 0]]);
    }
}
