//! The tickets of an order as a PDF: a page a ticket, each enough by itself at the entrance.

mod draw;
mod layout;

use kassa_texts::{Language, Texts, show_percent};

use crate::fonts::Fonts;
use crate::pdf::DocumentError;
use crate::shaping::Shaping;
pub use crate::times::EventTime;

/// What the tickets of an order say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TicketsDocument {
    /// In which language.
    pub language: Language,
    /// The name of the event.
    pub event: String,
    /// When it is, if that is fixed.
    pub time: Option<EventTime>,
    /// The name of its venue.
    pub place: Option<String>,
    /// Where that is.
    pub address: Option<String>,
    /// Who organizes it.
    pub organizer: String,
    /// Who sold the tickets, where that was somebody else.
    pub vendor: Option<String>,
    /// A page of the organizer.
    pub website: Option<String>,
    /// What happens with tickets that are given back.
    pub returns: ReturnTerms,
    /// The number of the order.
    pub order_number: String,
    /// What the customer can show of the order.
    pub order_code: String,
    /// A page for each.
    pub tickets: Vec<TicketPage>,
}

/// What one ticket says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TicketPage {
    /// The name of its set.
    pub category: String,
    /// Where in the hall; `None` where that says nothing more.
    pub sector: Option<String>,
    /// The row and the seat, where it has a seat.
    pub row_and_seat: Option<(String, String)>,
    /// What it is called: its serial and number.
    pub number: String,
    /// What was paid for it.
    pub price: TicketPrice,
    /// Who comes with it, if that is known.
    pub holder: Option<String>,
    /// What is checked at the entrance.
    pub barcode: String,
}

/// What was paid for a ticket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TicketPrice {
    /// Hundredths.
    Amount(i64),
    /// Nothing.
    Free,
    /// Nothing: the organizer invited.
    Invitation,
}

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

/// All of a price, in ten-thousandths of a percent.
const WHOLE_E4: u32 = 1_000_000;

impl TicketsDocument {
    /// Writes the PDF.
    pub fn to_pdf(&self, fonts: &Fonts) -> Result<Vec<u8>, DocumentError> {
        let shaping = Shaping::new(fonts);
        let pages: Vec<layout::PageLayout> =
            (0..self.tickets.len()).map(|at| layout::lay_out(self, at, &shaping)).collect();
        draw::draw(self, &pages, fonts)
    }

    fn texts(&self) -> &'static Texts {
        Texts::of(self.language)
    }

    /// Which of the tickets one is, in words.
    fn position(&self, at: usize, key: &str) -> String {
        let (number, count) = ((at + 1).to_string(), self.tickets.len().to_string());
        self.texts().with(key, &[("number", &number), ("count", &count)])
    }

    /// What happens with tickets that are given back, in words.
    fn returns(&self) -> String {
        let (texts, terms) = (self.texts(), self.returns);
        if terms.kept_percent_e4 >= WHOLE_E4 {
            return texts.text("returns-never");
        }
        let until = match terms.deadline {
            ReturnDeadline::End => texts.text("returns-until-end"),
            ReturnDeadline::DaysBefore(0) => texts.text("returns-until-start"),
            ReturnDeadline::DaysBefore(days) => texts.count("returns-until-days", days.into()),
        };
        let kept = match terms.kept_percent_e4 {
            0 => texts.text("returns-nothing-kept"),
            part => texts.with("returns-part-kept", &[("percent", &show_percent(part, self.language))]),
        };
        format!("{until} {kept}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_of_returns_are_sentences() {
        let words = |language, kept_percent_e4, deadline| {
            let returns = ReturnTerms { kept_percent_e4, deadline };
            TicketsDocument { language, returns, ..layout::tests::document() }.returns()
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
                    "Tickets können bis zum Ende der Veranstaltung zurückgegeben werden.",
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
        assert_eq!(never, "Tickets können nicht zurückgegeben werden.");
    }
}
