//! Where everything stands on the page of a ticket. Sizes are in points, from the upper left corner.
//!
//! A page has a grid: the title, below it the ticket with what people look for first, its barcode on the part that can be
//! torn off, and notes. Texts of any length fit: they wrap, then the whole page becomes smaller, and what is too long even
//! so is cut.

use std::rc::Rc;

use kassa_texts::Amount;

use super::{TicketPage, TicketPrice, TicketsDocument};
use crate::pdf::{Align, Ink, Role};
use crate::qr::{self, QUIET_MODULES, Run};
use crate::shaping::{Paragraph, Shaping, Style};

/// A4.
pub(super) const PAGE_WIDTH: f32 = 595.276;
pub(super) const PAGE_HEIGHT: f32 = 841.89;
const MARGIN: f32 = 48.0;
const RIGHT: f32 = PAGE_WIDTH - MARGIN;
const CONTENT_WIDTH: f32 = PAGE_WIDTH - 2.0 * MARGIN;
/// Where the line above the footer is.
const FOOTER_TOP: f32 = PAGE_HEIGHT - MARGIN - 18.0;
/// The part of the ticket with the barcode.
const STUB_WIDTH: f32 = 212.0;
/// Between the edge of the ticket and what stands on it.
const PADDING: f32 = 22.0;
/// The barcode without the white around it: what is around it is white anyway.
const CODE_SIDE: f32 = 156.0;
/// The longest lines of running text.
const NOTES_WIDTH: f32 = 400.0;

/// A page.
pub(super) struct PageLayout {
    /// In the order in which they are read.
    pub(super) items: Vec<Item>,
    /// Where the last of its content ends.
    bottom: f32,
}

/// Something on a page.
#[derive(Clone, Debug)]
pub(super) enum Item {
    Text(Block),
    Rule { left: f32, top: f32, width: f32, ink: Ink },
    Ticket { left: f32, top: f32, right: f32, bottom: f32, perforation: f32 },
    Code { left: f32, top: f32, module: f32, runs: Vec<Run>, words: String },
}

/// A text on a page.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) paragraph: Rc<Paragraph>,
    pub(super) left: f32,
    pub(super) top: f32,
    pub(super) width: f32,
    pub(super) ink: Ink,
    pub(super) align: Align,
    pub(super) role: Role,
}

/// How large and how long things may be.
struct Density {
    /// Of all sizes but those of titles.
    scale: f32,
    /// Sizes of the title, each with the most lines that it may have.
    titles: &'static [(f32, usize)],
    /// The most lines of a value, and of an address.
    lines: usize,
    address_lines: usize,
}

/// From what looks best to what holds most; the last always fits.
const DENSITIES: [Density; 4] = [
    Density { scale: 1.0, titles: &[(32.0, 2), (26.0, 3)], lines: 4, address_lines: 4 },
    Density { scale: 0.92, titles: &[(22.0, 4)], lines: 6, address_lines: 8 },
    Density { scale: 0.8, titles: &[(14.0, 8)], lines: 8, address_lines: 14 },
    Density { scale: 0.8, titles: &[(14.0, 4)], lines: 2, address_lines: 3 },
];

/// The page of a ticket.
pub(super) fn lay_out(document: &TicketsDocument, at: usize, shaping: &Shaping<'_>) -> PageLayout {
    let [.., last] = &DENSITIES;
    let candidates = DENSITIES.iter().map(|density| Page::new(document, at, shaping, density));
    let fits = |page: &PageLayout| page.bottom <= FOOTER_TOP - 12.0 && !page.is_cut();
    candidates.map(Page::lay_out).find(fits).unwrap_or_else(|| Page::new(document, at, shaping, last).lay_out())
}

impl PageLayout {
    fn is_cut(&self) -> bool {
        self.items
            .iter()
            .any(|item| matches!(item, Item::Text(block) if block.paragraph.is_cut && block.role != Role::PageNumber))
    }
}

struct Page<'a> {
    document: &'a TicketsDocument,
    at: usize,
    shaping: &'a Shaping<'a>,
    density: &'a Density,
    items: Vec<Item>,
}

/// A column that grows downwards.
#[derive(Clone, Copy)]
struct Column {
    left: f32,
    width: f32,
    top: f32,
}

impl<'a> Page<'a> {
    fn new(document: &'a TicketsDocument, at: usize, shaping: &'a Shaping<'a>, density: &'a Density) -> Self {
        Self { document, at, shaping, density, items: Vec::new() }
    }

    fn lay_out(mut self) -> PageLayout {
        let mut column = Column { left: MARGIN, width: CONTENT_WIDTH, top: MARGIN };
        self.header(&mut column);
        self.title(&mut column);
        if let Some(ticket) = self.document.tickets.get(self.at) {
            self.ticket(ticket, &mut column);
        }
        self.notes(&mut column);
        let bottom = column.top;
        self.footer();
        PageLayout { items: self.items, bottom }
    }

    fn style(&self, size: f32, is_bold: bool) -> Style {
        let size = size * self.density.scale;
        Style { size, leading: size * 1.36, is_bold }
    }

    /// Puts a text into a column, below what is there.
    fn put(&mut self, column: &mut Column, text: &str, style: Style, lines: usize, (ink, role): (Ink, Role)) {
        let paragraph = self.shaping.paragraph(text, style, column.width, lines);
        let (left, top, width) = (column.left, column.top, column.width);
        column.top += paragraph.height();
        // A value stands below its label.
        let align = if role == Role::Value { Align::Left } else { Align::Start };
        self.items.push(Item::Text(Block { paragraph, left, top, width, ink, align, role }));
    }

    /// Puts a line between two verticals.
    fn line(&mut self, text: &str, place: Column, align: Align, style: Style, (ink, role): (Ink, Role)) {
        let Column { left, width, top } = place;
        let paragraph = self.shaping.paragraph(text, style, width, 1);
        self.items.push(Item::Text(Block { paragraph, left, top, width, ink, align, role }));
    }

    fn label(&mut self, column: &mut Column, text: &str) {
        self.put(column, text, self.style(8.5, false), 1, (Ink::Grey, Role::Label));
    }

    /// A label with its value.
    fn fact(&mut self, column: &mut Column, label: &str, value: &str, size: f32) {
        self.label(column, label);
        self.put(column, value, self.style(size, true), self.density.lines, (Ink::Black, Role::Value));
    }

    fn gap(&self, column: &mut Column, height: f32) {
        column.top += height * self.density.scale;
    }

    fn header(&mut self, column: &mut Column) {
        let (style, top) = (self.style(10.0, false), column.top);
        let (organizer, place) = (&self.document.organizer, self.document.position(self.at, "document-ticket-of"));
        let mut left = Column { width: 340.0, ..*column };
        self.put(&mut left, organizer, self.style(10.0, true), 2, (Ink::Black, Role::Paragraph));
        let right = Column { left: RIGHT - 140.0, width: 140.0, top };
        self.line(&place, right, Align::Right, style, (Ink::Grey, Role::Paragraph));
        column.top = left.top.max(top + style.leading) + 10.0;
        self.items.push(Item::Rule { left: MARGIN, top: column.top, width: CONTENT_WIDTH, ink: Ink::Black });
        self.gap(column, 24.0);
    }

    fn title(&mut self, column: &mut Column) {
        let titles = self.density.titles.iter().map(|(size, lines)| {
            let style = Style { size: *size, leading: size * 1.24, is_bold: true };
            self.shaping.paragraph(&self.document.event, style, CONTENT_WIDTH, *lines)
        });
        let mut titles: Vec<Rc<Paragraph>> = titles.collect();
        let at = titles.iter().position(|title| !title.is_cut).unwrap_or(titles.len().saturating_sub(1));
        if at < titles.len() {
            let paragraph = titles.swap_remove(at);
            let (left, top, width) = (column.left, column.top, column.width);
            column.top += paragraph.height();
            let (ink, align, role) = (Ink::Black, Align::Start, Role::Heading(1));
            self.items.push(Item::Text(Block { paragraph, left, top, width, ink, align, role }));
        }
        self.gap(column, 26.0);
    }

    fn ticket(&mut self, ticket: &TicketPage, column: &mut Column) {
        let (top, perforation) = (column.top, RIGHT - STUB_WIDTH);
        let outline = self.items.len();
        let mut facts =
            Column { left: MARGIN + PADDING, width: perforation - MARGIN - 2.0 * PADDING, top: top + PADDING };
        self.facts(ticket, &mut facts);
        let stub_left = perforation + (STUB_WIDTH - CODE_SIDE) / 2.0;
        let mut stub = Column { left: stub_left, width: CODE_SIDE, top: top + PADDING + 6.0 };
        self.stub(ticket, &mut stub);
        let bottom = facts.top.max(stub.top) + PADDING;
        self.items.insert(outline, Item::Ticket { left: MARGIN, top, right: RIGHT, bottom, perforation });
        column.top = bottom;
        self.gap(column, 30.0);
    }

    /// When, where, and which seat.
    fn facts(&mut self, ticket: &TicketPage, column: &mut Column) {
        let (document, texts) = (self.document, self.document.texts());
        if let Some(time) = &document.time {
            let words = time.in_words(document.language);
            self.fact(column, &texts.text("when"), &words.date, 13.5);
            self.put(column, &words.time, self.style(11.0, false), 2, (Ink::Black, Role::Value));
            if let Some(ends) = &words.ends {
                self.gap(column, 6.0);
                self.fact(column, &texts.text("document-ends"), ends, 11.0);
            }
            self.gap(column, 13.0);
        }
        if document.place.is_some() || document.address.is_some() {
            self.label(column, &texts.text("where"));
            let (place, address) = (document.place.as_deref(), document.address.as_deref());
            let (bold, regular) = (self.style(13.5, true), self.style(11.0, false));
            self.put(column, place.unwrap_or_default(), bold, self.density.lines, (Ink::Black, Role::Value));
            let lines = self.density.address_lines;
            self.put(column, address.unwrap_or_default(), regular, lines, (Ink::Black, Role::Value));
            self.gap(column, 13.0);
        }
        self.fact(column, &texts.text("document-category"), &ticket.category, 13.5);
        self.gap(column, 13.0);
        self.seat(ticket, column);
        if let Some(holder) = &ticket.holder {
            self.fact(column, &texts.text("name"), holder, 11.0);
        }
    }

    /// The sector, the row and the seat: what people look for in the hall.
    fn seat(&mut self, ticket: &TicketPage, column: &mut Column) {
        let texts = self.document.texts();
        if ticket.sector.is_none() && ticket.row_and_seat.is_none() {
            return;
        }
        self.items.push(Item::Rule { left: column.left, top: column.top, width: column.width, ink: Ink::Pale });
        self.gap(column, 9.0);
        if let Some(sector) = &ticket.sector {
            self.fact(column, &texts.text("document-sector"), sector, 13.5);
            self.gap(column, 6.0);
        }
        if let Some((row, seat)) = &ticket.row_and_seat {
            let [row_label, seat_label] = ["row", "document-seat"].map(|key| texts.text(key));
            self.beside(column, &[(&row_label, row), (&seat_label, seat)], 24.0);
        }
        if ticket.holder.is_some() {
            self.gap(column, 9.0);
            self.items.push(Item::Rule { left: column.left, top: column.top, width: column.width, ink: Ink::Pale });
            self.gap(column, 13.0);
        }
    }

    /// Labels with short values, side by side. A value that is too long for its size is smaller.
    fn beside(&mut self, column: &mut Column, facts: &[(&str, &str)], size: f32) {
        let (top, mut bottom) = (column.top, column.top);
        let gutter = 12.0;
        let count: f32 = facts.iter().map(|_| 1.0).sum();
        let width = (column.width - gutter * (count - 1.0)) / count;
        let mut left = column.left;
        for (label, value) in facts {
            let mut part = Column { left, width, top };
            self.label(&mut part, label);
            let sizes = [size, size * 0.7, size * 0.55].map(|size| size.max(9.5));
            let fits = |size: &f32| !self.shaping.paragraph(value, self.style(*size, true), width, 1).is_cut;
            let size = sizes.into_iter().find(fits).unwrap_or(9.5);
            self.put(&mut part, value, self.style(size, true), 3, (Ink::Black, Role::Value));
            bottom = bottom.max(part.top);
            left += width + gutter;
        }
        column.top = bottom;
    }

    /// The barcode, and what it belongs to.
    fn stub(&mut self, ticket: &TicketPage, column: &mut Column) {
        let texts = self.document.texts();
        if let Some((side, runs)) = qr::modules(&ticket.barcode) {
            let module = CODE_SIDE / f32::from(side);
            debug_assert!(module * f32::from(QUIET_MODULES) <= (STUB_WIDTH - CODE_SIDE) / 2.0 + PADDING);
            let words = texts.with("document-barcode-picture", &[("digits", &ticket.barcode)]);
            self.items.push(Item::Code { left: column.left, top: column.top, module, runs, words });
            column.top += CODE_SIDE + 14.0;
        }
        let grouped = group_digits(&ticket.barcode);
        let wide = Column { left: column.left - 14.0, width: column.width + 28.0, top: column.top };
        let style = Style { size: 12.5, leading: 17.0, is_bold: true };
        let role = Role::ParagraphAs(ticket.barcode.clone());
        self.line(&grouped, wide, Align::Center, style, (Ink::Black, role));
        column.top += style.leading + 16.0;
        let price = match ticket.price {
            TicketPrice::Amount(minor) => texts.amount(Amount::of_hundredths(minor), None),
            TicketPrice::Free => texts.text("price-free"),
            TicketPrice::Invitation => texts.text("document-invitation"),
        };
        let [number, price_label, order, code] =
            ["document-ticket", "document-price", "document-order", "document-code"].map(|key| texts.text(key));
        self.beside(column, &[(&number, ticket.number.as_str()), (&price_label, &price)], 11.0);
        self.gap(column, 10.0);
        let order = [(order.as_str(), self.document.order_number.as_str()), (&code, &self.document.order_code)];
        self.beside(column, &order, 11.0);
    }

    fn notes(&mut self, column: &mut Column) {
        let (document, texts) = (self.document, self.document.texts());
        let style = self.style(9.5, false);
        let mut notes = Column { width: NOTES_WIDTH, ..*column };
        self.put(&mut notes, &texts.text("document-notes"), self.style(10.5, true), 1, (Ink::Black, Role::Heading(2)));
        self.gap(&mut notes, 4.0);
        for text in [texts.text("document-at-the-entrance"), document.returns.in_words(texts)] {
            self.put(&mut notes, &text, style, 3, (Ink::Grey, Role::Paragraph));
            self.gap(&mut notes, 4.0);
        }
        let who = [("document-organizer", Some(&document.organizer)), ("document-vendor", document.vendor.as_ref())];
        let who = who.into_iter().filter_map(|(key, name)| Some(texts.about(key, name?)));
        let who: Vec<String> = who.chain(document.website.clone()).collect();
        for text in who {
            self.put(&mut notes, &text, style, 2, (Ink::Grey, Role::Paragraph));
        }
        column.top = notes.top;
    }

    fn footer(&mut self) {
        let document = self.document;
        self.items.push(Item::Rule { left: MARGIN, top: FOOTER_TOP, width: CONTENT_WIDTH, ink: Ink::Pale });
        let style = Style { size: 8.5, leading: 12.0, is_bold: false };
        let top = FOOTER_TOP + 6.0;
        let left = Column { left: MARGIN, width: CONTENT_WIDTH - 160.0, top };
        self.line(&document.event, left, Align::Left, style, (Ink::Grey, Role::PageNumber));
        let right = Column { left: RIGHT - 150.0, width: 150.0, top };
        let page = document.position(self.at, "document-page-of");
        self.line(&page, right, Align::Right, style, (Ink::Grey, Role::PageNumber));
    }
}

/// Digits in groups of four, as people read them out; any other text as it is.
fn group_digits(barcode: &str) -> String {
    if !barcode.len().is_multiple_of(4) || !barcode.bytes().all(|byte| byte.is_ascii_digit()) {
        return barcode.to_owned();
    }
    let mut grouped = String::new();
    for (at, digit) in barcode.chars().enumerate() {
        if at > 0 && at.is_multiple_of(4) {
            grouped.push(' ');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
pub(super) mod tests;
