//! "Here are your tickets."

use kassa_texts::Texts;

use super::builder::{ComposedMail, InlineImage, MailBuilder, join_nonempty};
use super::{qr, reservation};
use crate::order_documents::{PaidOrder, SoldTicket};

/// What a customer has bought, in the customer's language. `page` is the address of the order's page, if it has one.
pub(super) fn write(paid: &PaidOrder<'_>, page: Option<&str>) -> ComposedMail {
    let texts = Texts::of(paid.language());
    let title = paid.title(paid.language());
    let order = texts.with("mail-order", &[("number", &paid.order.number.to_string()), ("code", paid.code)]);
    let labels = ["when", "where", "document-order"].map(|key| texts.text(key));
    let values = [paid.time_in_words().unwrap_or_default(), venue_line(paid), order];
    let facts: Vec<(&str, &str)> =
        labels.iter().zip(&values).map(|(label, value)| (label.as_str(), value.as_str())).collect();
    let mut sheet = MailBuilder::in_language(texts.language());
    sheet.heading(title);
    sheet.labeled_values(&facts);
    for sold in &paid.tickets {
        write_ticket(sold, texts, &mut sheet);
    }
    sheet.paragraph(&texts.text("mail-barcodes"));
    if let Some(page) = page {
        sheet.paragraph(&texts.text("mail-order-page-hint"));
        sheet.link(&texts.text("mail-order-page"), page);
    }
    sheet.structured_data(&reservation::describe(paid));
    sheet.finish(&texts.with("mail-tickets-subject", &[("event", title)]))
}

/// The venue with its address, and its city where the address does not name it.
fn venue_line(paid: &PaidOrder<'_>) -> String {
    let name = paid.venue.map_or("", |venue| &venue.name);
    join_nonempty([name, &paid.address(paid.language()).unwrap_or_default()])
}

fn write_ticket(sold: &SoldTicket<'_>, texts: &Texts, sheet: &mut MailBuilder) {
    let (name, serial) = (&sold.set.name, &sold.set.serial);
    let [row, seat] = sold.row_and_seat().map_or_else(Default::default, |(row, number)| {
        [texts.about("mail-row", row.as_str()), texts.about("mail-seat", &number.to_string())]
    });
    let what = join_nonempty([name, sold.sector(), &row, &seat, &format!("{serial} {}", sold.ticket.number)]);
    let name = format!("{}@kassa", sold.ticket.id);
    let picture = qr::png_of_barcode(sold.barcode).map(|png| InlineImage { name, png });
    sheet.ticket(&what, sold.barcode, picture);
}
