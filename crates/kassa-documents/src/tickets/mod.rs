//! The tickets of an order as a PDF: a page a ticket, each enough by itself at the entrance.

mod draw;
mod layout;

use kassa_texts::{Language, ReturnTerms, Texts};

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
}
