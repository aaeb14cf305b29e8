//! What happens with tickets that are given back, in words.

use crate::{Texts, show_percent};

/// All of a price, in ten-thousandths of a percent.
const WHOLE_E4: u32 = 1_000_000;

/// What happens with tickets that are given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReturnTerms {
    /// What is kept of the price, in ten-thousandths of a percent.
    pub kept_percent_e4: u32,
    /// Until when they are taken.
    pub deadline: ReturnDeadline,
}

/// Until when tickets can be given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReturnDeadline {
    /// Until the event ends.
    End,
    /// Until so many days before it starts; 0 is its start.
    DaysBefore(u32),
}

impl ReturnTerms {
    /// In a sentence or two.
    pub fn in_words(self, texts: &Texts) -> String {
        if self.kept_percent_e4 >= WHOLE_E4 {
            return texts.text("returns-never");
        }
        let until = match self.deadline {
            ReturnDeadline::End => texts.text("returns-until-end"),
            ReturnDeadline::DaysBefore(0) => texts.text("returns-until-start"),
            ReturnDeadline::DaysBefore(days) => texts.count("returns-until-days", days.into()),
        };
        let kept = match self.kept_percent_e4 {
            0 => texts.text("returns-nothing-kept"),
            part => texts.with("returns-part-kept", &[("percent", &show_percent(part, texts.language()))]),
        };
        format!("{until} {kept}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;

    #[test]
    fn terms_of_returns_are_sentences() {
        let words = |language, kept_percent_e4, deadline| {
            ReturnTerms { kept_percent_e4, deadline }.in_words(Texts::of(language))
        };
        let cases = [
            (
                words(Language::En, 0, ReturnDeadline::DaysBefore(0)),
                ["Tickets can be given back until the event starts.", "Nothing of their price is kept."],
            ),
            (
                words(Language::En, 125_000, ReturnDeadline::DaysBefore(1)),
                ["Tickets can be given back until one day before the event starts.", "12.5% of their price is kept."],
            ),
            (
                words(Language::De, 500_000, ReturnDeadline::End),
                [
                    "Karten können bis zum Ende der Veranstaltung zurückgegeben werden.",
                    "Von ihrem Preis werden 50\u{a0}% einbehalten.",
                ],
            ),
            (
                words(Language::Ru, 0, ReturnDeadline::DaysBefore(3)),
                [
                    "Билеты можно вернуть не позднее чем за 3 дня до начала мероприятия.",
                    "Их цена возвращается без удержаний.",
                ],
            ),
        ];
        for (said, expected) in cases {
            assert_eq!(said, expected.join(" "));
        }
        let never = words(Language::De, 1_000_000, ReturnDeadline::End);
        assert_eq!(never, "Karten können nicht zurückgegeben werden.");
    }
}
